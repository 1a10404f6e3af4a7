"""What stands for every address of a machine, and for which families of addresses."""

from collections.abc import Mapping
from typing import Final

ANY: Final = "*"
"""All addresses of this machine, of both families."""

IPV4: Final = "0.0.0.0"  # noqa: S104 (that is what it means)
IPV6: Final = "::"

EVERYWHERE: Final[Mapping[str, tuple[str, ...]]] = {
    ANY: (IPV4, IPV6),
    IPV6: (IPV4, IPV6),
    IPV4: (IPV4,),
}
"""What a server may be bound to for all addresses, with what is bound for each family of them."""
