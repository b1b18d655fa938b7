"""Name the program that answers at an address, and the setting with which it stops buffering."""

from collections.abc import Mapping

NGINX = "`proxy_buffering off;`, no `proxy_ignore_headers X-Accel-Buffering`, and `gzip off;`"
#: By a word in the headers `Server` and `Via`, in lower case.
PROGRAMS = {
    "nginx": ("nginx", f"In nginx, set {NGINX}. deploy/nginx.conf has these settings."),
    "openresty": ("OpenResty", f"In OpenResty, set {NGINX}."),
    "caddy": ("Caddy", "In Caddy, set `flush_interval -1` in reverse_proxy, and leave event"
              " streams out of `encode`."),
    "apache": ("Apache", "In Apache, set `ProxyPass … flushpackets=on`, and leave"
               " text/event-stream out of mod_deflate."),
    "cloudflare": ("Cloudflare", "At Cloudflare, turn off response buffering, Rocket Loader and"
                   " other rules that rewrite or compress responses for this site."),
    "varnish": ("Varnish", "In Varnish, set `beresp.do_stream = true` and pass event streams."),
    "traefik": ("Traefik", "In Traefik, remove the `buffering` middleware, and exclude"
                " text/event-stream from `compress`."),
    "envoy": ("Envoy", "In Envoy, remove the buffer filter and the compressor for event streams."),
    "haproxy": ("HAProxy", "In HAProxy, set `option http-no-delay`, and don't compress event"
                " streams."),
    "litespeed": ("LiteSpeed", "In LiteSpeed, turn off response buffering and compression."),
    "microsoft-iis": ("IIS", "In IIS, set responseBufferLimit=\"0\" for the proxied site."),
}  # fmt: skip
#: Headers that only one network adds.
NETWORKS = {
    "cf-ray": "cloudflare",
    "x-amz-cf-id": "cloudfront",
    "x-served-by": "varnish",
    "x-azure-ref": "azure",
}
OTHERS = {
    "cloudfront": ("CloudFront", "CloudFront passes streams on; look at what is behind it."),
    "azure": ("Azure Front Door", "In Azure Front Door, turn off caching and compression."),
}
UNKNOWN = "Turn off the buffering and compression of responses there, at least for event streams."
#: The server of the site's own processes.
OWN = "uvicorn"


def program_of(headers: Mapping[str, str]) -> tuple[str, str]:
    """Return the program's name, and what to change in it. Empty and general if it is unknown."""
    for header, key in NETWORKS.items():
        if header in headers:
            return (PROGRAMS | OTHERS)[key]
    told = f"{headers.get('server', '')} {headers.get('via', '')}".lower()
    for word, program in PROGRAMS.items():
        if word in told:
            return program
    name = headers.get("server", "").partition("/")[0]
    return ("" if name.lower() == OWN else name, UNKNOWN)
