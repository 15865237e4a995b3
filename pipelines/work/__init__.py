"""What workers do: the plan, a job for each unit and part, the receipts from which a run resumes."""
