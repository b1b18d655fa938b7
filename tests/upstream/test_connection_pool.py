"""The connection pool: its limit, its order, and that no connection is lost."""

import asyncio
import datetime
import random
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from chat.upstream.sockets import connection_pool
from chat.upstream.sockets import transport as socket_transport
from chat.upstream.sockets.transport import SocketTransport
from tests.support.upstream.raw_upstream import always, plain, raw_upstream

OK = plain(200, b"{}")


async def test_the_number_of_connections_is_limited_and_requests_wait_in_order() -> None:
    answered: list[bytes] = []

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        most.append(raw.open)
        answered.append(request.split()[1])
        await asyncio.sleep(0.01)
        writer.write(OK)

    most: list[int] = []
    async with raw_upstream(handler) as raw:
        async with httpx.AsyncClient(transport=SocketTransport(1), base_url=raw.url) as client:
            await asyncio.gather(*(client.get(f"/{number}") for number in range(20)))
    assert max(most) == 1
    assert answered == [b"/client/v4/%d" % number for number in range(20)]


async def test_cancelled_requests_lose_no_connection() -> None:
    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(random.random() / 100)
        writer.write(OK)

    async with raw_upstream(handler) as raw:
        transport = SocketTransport(5)
        async with httpx.AsyncClient(transport=transport, base_url=raw.url) as client:

            async def one() -> None:
                try:
                    async with asyncio.timeout(random.random() / 50):
                        await client.get("/")
                except TimeoutError:
                    pass

            for _ in range(30):
                await asyncio.gather(*(one() for _ in range(20)))
            answers = await asyncio.gather(*(client.get("/") for _ in range(10)))
            assert {each.status_code for each in answers} == {200}
            assert raw.open <= 5


async def test_an_idle_connection_to_another_host_is_closed_to_make_room() -> None:
    async with raw_upstream(always(OK)) as one, raw_upstream(always(OK)) as other:
        async with httpx.AsyncClient(transport=SocketTransport(1)) as client:
            await client.get(one.url)
            await client.get(other.url)
            await one.closed.wait()


async def test_an_idle_connection_is_closed_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_transport, "KEEP_ALIVE_SECONDS", 0.05)
    async with raw_upstream(always(OK)) as raw:
        async with httpx.AsyncClient(transport=SocketTransport()) as client:
            await client.get(raw.url)
            await raw.closed.wait()


async def test_a_host_that_does_not_answer_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*args: object, **options: object) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(connection_pool.aiohappyeyeballs, "start_connection", never)
    async with httpx.AsyncClient(transport=SocketTransport(1), timeout=0.05) as client:
        for _ in range(3):  # no place is lost, either
            with pytest.raises(httpx.ConnectTimeout):
                await client.get("http://127.0.0.1:1/")


async def test_an_unknown_host_name_is_unreachable() -> None:
    async with httpx.AsyncClient(transport=SocketTransport()) as client:
        with pytest.raises(httpx.ConnectError):
            await client.get("http://nowhere.invalid/")


async def test_only_http_urls_are_supported() -> None:
    async with httpx.AsyncClient(transport=SocketTransport()) as client:
        with pytest.raises(httpx.UnsupportedProtocol):
            await client.get("ftp://127.0.0.1/")


def certificate(folder: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    chain, secret = folder / "chain.pem", folder / "key.pem"
    chain.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return chain, secret


@asynccontextmanager
async def tls_server(folder: Path) -> AsyncIterator[tuple[int, Path, list[int]]]:
    """Start a TLS server; yield its port, its certificate and the requests per connection."""
    chain, secret = certificate(folder)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(chain, secret)
    counts: list[int] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        counts.append(0)
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                counts[-1] += 1
                writer.write(OK)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(serve, "localhost", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1], chain, counts
    finally:
        server.close()


async def test_tls_certificates_are_verified_and_connections_reused(tmp_path: Path) -> None:
    async with tls_server(tmp_path) as (port, chain, counts):
        trusting = SocketTransport(tls=ssl.create_default_context(cafile=str(chain)))
        async with httpx.AsyncClient(transport=trusting) as client:
            for _ in range(3):
                assert (await client.get(f"https://localhost:{port}/")).text == "{}"
            with pytest.raises(httpx.ConnectError):  # the certificate has another name
                await client.get(f"https://127.0.0.1:{port}/")
        assert max(counts) == 3
        async with httpx.AsyncClient(transport=SocketTransport()) as client:
            with pytest.raises(httpx.ConnectError):
                await client.get(f"https://localhost:{port}/")
