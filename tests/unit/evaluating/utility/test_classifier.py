from tacenda.transforms.evaluating.utility.classifier import Classifier


def test_the_likeliest_class_follows_bayes_rule() -> None:
    # Spam: cheap cheap; other: hello there. P(cheap | spam) = 3/5, P(cheap | other) = 1/5.
    classifier = Classifier([["cheap", "cheap"], ["hello", "there"]], ["spam", "other"])
    assert classifier.predict(["cheap", "hello", "cheap"]) == "spam"
    assert classifier.predict(["hello"]) == "other"
    # Words never seen say nothing; of equal classes the first by name.
    assert classifier.predict(["unseen"]) == "other"


def test_frequent_classes_are_likelier() -> None:
    classifier = Classifier([["a"], ["a"], ["a"]], ["y", "y", "x"])
    assert classifier.predict(["a"]) == "y"
