from tacenda.transforms.evaluating.utility.classifier import Classifier


def test_the_likeliest_class_follows_bayes_rule() -> None:
    # Spam: cheap cheap; other: hello there. P(cheap | spam) = 3/5, P(cheap | other) = 1/5.
    classifier = Classifier(
        [["cheap", "cheap"], ["hello", "there"]], ["spam", "other"], {"cheap", "hello", "there"}
    )
    assert classifier.predict(["cheap", "hello", "cheap"]) == "spam"
    assert classifier.predict(["hello"]) == "other"
    # Words never seen say nothing; of equal classes the first by name.
    assert classifier.predict(["unseen"]) == "other"


def test_frequent_classes_are_likelier() -> None:
    classifier = Classifier([["a"], ["a"], ["a"]], ["y", "y", "x"], {"a"})
    assert classifier.predict(["a"]) == "y"


def test_words_outside_of_the_vocabulary_change_nothing() -> None:
    texts, classes, known = [["a", "b"], ["a"], ["b", "b"]], ["x", "x", "y"], {"a", "b"}
    invented = [[*text, *(f"{text[0]}{i}{k}" for k in range(50))] for i, text in enumerate(texts)]
    plain, named = Classifier(texts, classes, known), Classifier(invented, classes, known)
    for text in (["a"], ["b"], ["a", "b"], ["b", "b", "a"], ["a00"]):
        assert named.predict(text) == plain.predict(text)
