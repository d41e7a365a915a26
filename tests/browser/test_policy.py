import pytest

from recipes_app.browser.policy import Policy, join_port, kind_of_address

PUBLIC = ["93.184.216.34"]


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.8.8",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.9",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.100.100.200",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::",
        "not an address",
    ],
)
def test_an_address_that_is_not_public_is_refused_even_to_a_policy_of_any_public_host(address: str) -> None:
    assert kind_of_address(address)
    assert Policy(any_public=True).refuse("host.example", 443, [address])


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::5db8:d822"])
def test_a_public_address_is_reached(address: str) -> None:
    assert Policy(any_public=True).refuse("host.example", 443, [address]) is None


def test_one_private_address_among_public_ones_is_enough_to_refuse() -> None:
    assert Policy(any_public=True).refuse("host.example", 443, [*PUBLIC, "10.0.0.1"])


def test_the_empty_policy_reaches_nothing() -> None:
    assert Policy().refuse("example.com", 443, PUBLIC)


def test_a_site_reaches_its_own_host_with_and_without_www_and_no_other() -> None:
    policy = Policy.for_site("https://www.example.com/start")
    assert policy.refuse("example.com", 443, PUBLIC) is None
    assert policy.refuse("WWW.Example.com.", 443, PUBLIC) is None
    assert policy.refuse("cdn.example.com", 443, PUBLIC)
    assert policy.refuse("example.com.evil.test", 443, PUBLIC)


def test_a_star_allows_sub_domains_but_not_the_domain_or_a_look_alike() -> None:
    policy = Policy.for_site("https://shop.test", ["*.cdn.test"])
    assert policy.refuse("a.b.cdn.test", 443, PUBLIC) is None
    assert policy.refuse("cdn.test", 443, PUBLIC)
    assert policy.refuse("evilcdn.test", 443, PUBLIC)


def test_an_odd_port_is_reached_only_where_the_policy_names_it() -> None:
    policy = Policy.for_site("https://shop.test:8443", ["mail.test", "api.test:9000"])
    assert policy.refuse("shop.test", 8443, PUBLIC) is None
    assert policy.refuse("api.test", 9000, PUBLIC) is None
    assert policy.refuse("mail.test", 25, PUBLIC) == "port 25 is not one the run may reach"
    assert policy.refuse("shop.test", 9000, PUBLIC)


def test_an_owner_opens_one_private_host_and_port_but_only_for_a_site_that_may_use_it() -> None:
    policy = Policy.for_site("http://intranet.test", [], ["intranet.test:80", "other.test:80"])
    assert policy.refuse("intranet.test", 80, ["10.0.0.5"]) is None
    assert policy.refuse("intranet.test", 443, ["10.0.0.5"]) == "10.0.0.5 is a private or reserved address"
    assert policy.refuse("other.test", 80, ["10.0.0.6"])


def test_an_opened_name_that_turns_to_the_metadata_address_is_still_refused() -> None:
    policy = Policy.for_site("http://intranet.test", [], ["intranet.test:80"])
    assert policy.refuse("intranet.test", 80, ["169.254.169.254"])


METADATA = [
    ("169.254.169.254", "169.254.169.254"),
    ("169.254.170.2", "169.254.170.2"),
    ("100.100.100.200", "100.100.100.200"),
    ("168.63.129.16", "168.63.129.16"),
    ("fd00:ec2::254", "fd00:ec2::254"),
    ("::ffff:169.254.169.254", "::ffff:169.254.169.254"),
    ("0xa9fea9fe", "169.254.169.254"),
    ("2852039166", "169.254.169.254"),
    ("metadata.google.internal", "169.254.169.254"),
]


@pytest.mark.parametrize(("host", "address"), METADATA)
def test_no_entry_opens_a_clouds_metadata_service(host: str, address: str) -> None:
    entry = join_port(host, 80)
    policy = Policy.for_site(f"http://{entry}/", [host], [entry])
    assert policy.refuse_name(host, 80)
    assert policy.refuse(host, 80, [address])
    assert Policy.for_site("http://intranet.test", [], ["intranet.test:80"]).refuse("intranet.test", 80, [address])


def test_a_link_local_address_is_opened_by_its_own_number_only() -> None:
    policy = Policy.for_site("http://169.254.7.7", [], ["169.254.7.7:80"])
    assert policy.refuse("169.254.7.7", 80, ["169.254.7.7"]) is None
    named = Policy.for_site("http://printer.test", [], ["printer.test:80"])
    assert named.refuse("printer.test", 80, ["169.254.7.7"])


def test_a_name_in_another_script_is_compared_in_punycode() -> None:
    policy = Policy.for_site("https://bücher.test")
    assert policy.refuse("xn--bcher-kva.test", 443, PUBLIC) is None


def test_ipv6_hosts_are_named_in_brackets_with_their_port() -> None:
    policy = Policy.for_site("http://[::1]:8000", [], ["[::1]:8000"])
    assert policy.refuse("::1", 8000, ["::1"]) is None
    assert policy.refuse("::1", 8001, ["::1"])
