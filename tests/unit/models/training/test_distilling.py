import pytest

torch = pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")

from tacenda.models.training.distilling import Teacher, student_of
from tacenda.models.training.network import NetworkConfig, TokenNetwork


def network(seed: int = 1) -> TokenNetwork:
    torch.manual_seed(seed)
    sizes = {"layers": 4, "width": 16, "heads": 2, "inner": 32, "vocabulary": 50, "positions": 20}
    return TokenNetwork(NetworkConfig(classes=3, **sizes)).eval()


def inputs() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    ids = torch.randint(0, 50, (3, 12), generator=torch.Generator().manual_seed(1))
    mask = torch.ones_like(ids)
    mask[1, 7:] = 0
    return ids, mask, torch.zeros_like(ids)


def distance(teacher: TokenNetwork, student: TokenNetwork) -> float:
    return float(Teacher(teacher).loss(inputs(), *student.seen_through(*inputs())).detach())


def test_a_student_of_full_size_equals_the_teacher() -> None:
    teacher = network()
    student = student_of(teacher, range(4), 32)
    for mine, its in zip(student(*inputs()), teacher(*inputs()), strict=True):
        torch.testing.assert_close(mine, its)
    # Only the rounding to bf16 is between them.
    assert distance(teacher, student) < 0.01 < distance(teacher, network(2))


def test_a_student_has_the_layers_and_the_heaviest_inner_units() -> None:
    teacher = network()
    with torch.no_grad():
        teacher.layers[3].inner.weight[5:] *= 1e-6
    student = student_of(teacher, (1, 3), 5)
    assert student.config.layers == 2
    torch.testing.assert_close(student.layers[0].attention_in.weight, teacher.layers[1].attention_in.weight)
    torch.testing.assert_close(student.layers[1].inner.weight, teacher.layers[3].inner.weight[:5])
    torch.testing.assert_close(student.layers[1].outer.weight, teacher.layers[3].outer.weight[:, :5])


def test_a_step_brings_the_student_nearer_and_leaves_teacher_and_words_alone() -> None:
    teacher = network()
    before = {name: value.clone() for name, value in teacher.state_dict().items()}
    student = student_of(teacher, (1, 3), 8)
    asked = Teacher(teacher)
    rates = torch.optim.SGD([p for p in student.parameters() if p.requires_grad], lr=0.05)
    first = distance(teacher, student)
    for _ in range(20):
        loss = asked.loss(inputs(), *student.seen_through(*inputs()))
        rates.zero_grad()
        loss.backward()
        rates.step()
    assert distance(teacher, student) < 0.8 * first
    torch.testing.assert_close(teacher.state_dict(), before)
    torch.testing.assert_close(student.words.weight, teacher.words.weight)


def test_padding_does_not_affect_the_loss() -> None:
    teacher, student = network(), student_of(network(2), (0, 2), 8)
    ids, mask, cases = inputs()
    other = ids.clone()
    other[1, 7:] = 49
    losses = [
        Teacher(teacher).loss((i, mask, cases), *student.seen_through(i, mask, cases)) for i in (ids, other)
    ]
    torch.testing.assert_close(*losses)


def test_rows_without_targets_do_not_affect_the_loss() -> None:
    teacher, student = Teacher(network()), network(2)
    ids, mask, cases = inputs()
    first = torch.tensor([True, False, False])
    alone = ids[:1], mask[:1], cases[:1]
    torch.testing.assert_close(
        teacher.loss((ids, mask, cases), *student.seen_through(ids, mask, cases), first),
        teacher.loss(alone, *student.seen_through(*alone)),
    )
    none = teacher.loss((ids, mask, cases), *student.seen_through(ids, mask, cases), ~first & first)
    assert float(none) == 0


def test_hidden_states_count_layerwise_alone() -> None:
    student = network(2)
    seen = student.seen_through(*inputs())
    assert Teacher(network(), layerwise=False).loss(inputs(), *seen) < Teacher(network()).loss(
        inputs(), *seen
    )


@pytest.mark.parametrize(("layers", "inner"), [((), 8), ((4,), 8), ((-1,), 8), ((0,), 33), ((0,), 0)])
def test_an_impossible_student_is_refused(layers: tuple[int, ...], inner: int) -> None:
    with pytest.raises(ValueError, match="at most its inner units"):
        student_of(network(), layers, inner)
