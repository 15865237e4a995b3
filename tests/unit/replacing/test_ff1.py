import random
import string

import pytest

from tacenda.transforms.replacing.ff1 import Ff1
from tacenda.transforms.schema.errors import RecordError

DIGITS = string.digits + string.ascii_lowercase
KEYS = {
    128: "2B7E151628AED2A6ABF7158809CF4F3C",
    192: "2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F",
    256: "2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94",
}
NIST = [
    (128, 10, "", "0123456789", "2433477484"),
    (128, 10, "39383736353433323130", "0123456789", "6124200773"),
    (128, 36, "3737373770717273373737", "0123456789abcdefghi", "a9tv40mll9kdu509eum"),
    (192, 10, "", "0123456789", "2830668132"),
    (192, 10, "39383736353433323130", "0123456789", "2496655549"),
    (192, 36, "3737373770717273373737", "0123456789abcdefghi", "xbj3kv35jrawxv32ysr"),
    (256, 10, "", "0123456789", "6657667009"),
    (256, 10, "39383736353433323130", "0123456789", "1001623463"),
    (256, 36, "3737373770717273373737", "0123456789abcdefghi", "xs8a0azh2avyalyzuwd"),
]
"""The nine samples that NIST published with SP 800-38G."""


@pytest.mark.parametrize(("bits", "radix", "tweak", "plain", "encrypted"), NIST)
def test_the_vectors_of_nist(bits: int, radix: int, tweak: str, plain: str, encrypted: str) -> None:
    cipher = Ff1(bytes.fromhex(KEYS[bits]), radix)
    said = cipher.encrypt([DIGITS.index(c) for c in plain], bytes.fromhex(tweak))
    assert "".join(DIGITS[i] for i in said) == encrypted
    back = cipher.decrypt(said, bytes.fromhex(tweak))
    assert "".join(DIGITS[i] for i in back) == plain


@pytest.mark.parametrize("radix", [2, 10, 26, 62, 95, 65_536])
def test_there_and_back_for_any_length(radix: int) -> None:
    cipher = Ff1(bytes(16), radix)
    draw = random.Random(radix)
    for size in (7, 8, 9, 31, 64, 257):
        numerals = [draw.randrange(radix) for _ in range(size)]
        said = cipher.encrypt(numerals, b"tweak")
        assert said != numerals
        assert len(said) == size
        assert all(0 <= numeral < radix for numeral in said)
        assert cipher.decrypt(said, b"tweak") == numerals


def test_it_is_one_to_one() -> None:
    cipher = Ff1(bytes(16), 10)
    values = [(a, b, c) for a in range(10) for b in range(10) for c in range(10)]
    assert len({tuple(cipher.encrypt(value)) for value in values}) == 1000


@pytest.mark.parametrize(("radix", "size"), [(10, 0), (10, 1), (2, 6), (9, 2)])
def test_what_is_too_short_is_refused(radix: int, size: int) -> None:
    with pytest.raises(RecordError, match="ValueTooShort"):
        Ff1(bytes(16), radix).encrypt([0] * size)


def test_a_radix_out_of_range_is_no_cipher() -> None:
    with pytest.raises(ValueError, match="radix"):
        Ff1(bytes(16), 1)
