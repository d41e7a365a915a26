"""What a run may reach: names, ports and addresses. Decided here, enforced by the proxy."""

import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlsplit

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

WEB_PORTS = frozenset({80, 443})
DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
NAT64 = ipaddress.ip_network("64:ff9b::/96")
# Where clouds hand their machines' credentials to whoever asks. Nothing that is listed opens these.
METADATA_ADDRESSES = frozenset(
    {
        "169.254.169.254", "169.254.170.2", "169.254.170.23", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254",
        "100.100.100.200", "192.0.0.192", "168.63.129.16",
    }
)  # fmt: skip
METADATA_NAMES = frozenset({"metadata.google.internal", "metadata", "metadata.goog", "instance-data.ec2.internal"})
METADATA = "cloud metadata"
METADATA_WORDS = "an address of a cloud's metadata service, which no run may reach"


@dataclass(frozen=True, slots=True)
class Policy:
    """hosts: "example.com", "*.example.com" (its sub-domains), either with ":port" for a port other than 80 and 443.

    private: "host:port" entries that may be loopback, link-local or private addresses, but never a metadata address;
    the host must be allowed by name as well.
    any_public: every host whose addresses are public. The empty policy reaches nothing.
    """

    hosts: frozenset[str] = field(default_factory=frozenset)
    private: frozenset[str] = field(default_factory=frozenset)
    any_public: bool = False

    @classmethod
    def for_site(cls, base_url: str, allowed_hosts: Iterable[str] = (), private_hosts: Iterable[str] = ()) -> Self:
        """The site's own host (on its own port as well), what an editor allowed, and what was opened."""
        host, port = host_and_port(base_url)
        bare = host.removeprefix("www.")
        own = {host, bare, f"www.{bare}"} if _is_name(host) else {host}
        ports = {join_port(name, port) for name in own} if port not in WEB_PORTS else set()
        return cls(
            hosts=frozenset(own | ports | {normal_entry(entry) for entry in allowed_hosts}),
            private=frozenset(normal_entry(entry) for entry in private_hosts),
        )

    def refuse_name(self, host: str, port: int) -> str | None:
        """The reason this host and port are not allowed, whatever their address."""
        host = normal_host(host)
        if is_metadata(host):
            return f"{host} is {METADATA_WORDS}"
        if not self._knows(host):
            return "this host is not one the run may reach"
        if port in WEB_PORTS or self._names_port(host, port):
            return None
        return f"port {port} is not one the run may reach"

    def refuse(self, host: str, port: int, addresses: Iterable[str]) -> str | None:
        """The reason this connection is not allowed, or None. Every address must be fit, not just one."""
        reason = self.refuse_name(host, port)
        if reason:
            return reason
        host = normal_host(host)
        opened = join_port(host, port) in self.private
        for text in addresses:
            kind = kind_of_address(text)
            if kind is None or (opened and kind != METADATA and (kind != "link-local" or text == host)):
                continue
            return f"{text} is a {kind} address"
        return None

    def names(self, host: str) -> bool:
        """Whether somebody named this host, or a pattern that covers it."""
        host = normal_host(host)
        return host in self.hosts or any(_matches(_without_port(entry), host) for entry in self.hosts)

    def _knows(self, host: str) -> bool:
        return self.any_public or self.names(host)

    def _names_port(self, host: str, port: int) -> bool:
        if join_port(host, port) in self.private:
            return True
        return any(_port_of(entry) == port and _matches(_without_port(entry), host) for entry in self.hosts)


def host_and_port(url: str) -> tuple[str, int]:
    """("example.com", 443) of https://example.com/…; the port of an unknown scheme is 0."""
    parts = urlsplit(url)
    return normal_host(parts.hostname or ""), parts.port or DEFAULT_PORTS.get(parts.scheme, 0)


def host_of(entry: str) -> str:
    """Of "host:port", "host" or "[address]:port"."""
    return normal_host(_without_port(entry.strip()))


def normal_host(host: str) -> str:
    """Lower case, no brackets, no trailing dot, punycode: the one spelling that is compared."""
    plain = host.strip().strip("[]").rstrip(".").lower()
    if plain.isascii():
        return plain
    try:
        return plain.encode("idna").decode("ascii")
    except UnicodeError:
        return plain


def normal_entry(entry: str) -> str:
    host, port = _without_port(entry.strip()), _port_of(entry.strip())
    return normal_host(host) if port is None else join_port(normal_host(host), port)


def join_port(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def kind_of_address(text: str) -> str | None:
    """None for a public address, else what it is. An address inside an address counts as the inner one."""
    try:
        address = _innermost(ipaddress.ip_address(text.split("%", maxsplit=1)[0]))
    except ValueError:
        return "malformed"
    kinds = (
        (METADATA, str(address) in METADATA_ADDRESSES),
        ("loopback", address.is_loopback),
        ("link-local", address.is_link_local),
        ("multicast", address.is_multicast),
        ("private or reserved", not address.is_global or address.is_reserved),
    )
    return next((name for name, holds in kinds if holds), None)


def is_metadata(host: str) -> bool:
    """Whether this host, a name or an address in whatever spelling, is one of a cloud's metadata service."""
    plain = normal_host(host)
    return plain in METADATA_NAMES or plain.endswith(".metadata.google.internal") or _kind(plain) == METADATA


def _kind(host: str) -> str | None:
    """Also of addresses in the short and hexadecimal spellings that resolvers take, such as 0xa9fea9fe."""
    try:
        return kind_of_address(socket.inet_ntoa(socket.inet_aton(host)))
    except (OSError, UnicodeError):
        return kind_of_address(host)


def _innermost(address: Address) -> Address:
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else address)


def _matches(entry: str, host: str) -> bool:
    return host.endswith(entry[1:]) if entry.startswith("*.") else host == entry


def _split_entry(entry: str) -> tuple[str, str]:
    if entry.startswith("["):
        host, _, rest = entry[1:].partition("]")
        return host, rest.removeprefix(":")
    if entry.count(":") == 1:
        host, _, port = entry.partition(":")
        return host, port
    return entry, ""


def _without_port(entry: str) -> str:
    return _split_entry(entry)[0]


def _port_of(entry: str) -> int | None:
    port = _split_entry(entry)[1]
    return int(port) if port.isdigit() else None


def _is_name(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return "." in host
    return False
