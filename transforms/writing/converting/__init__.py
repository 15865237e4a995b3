"""Conversations of one shape written as another, where what they say carries over."""
