"""Code whose preview tries to reach another host, the page around it, or the site.

`{host}` is the other host's address, `{ran}` a script that tells the page around it.
"""

#: What `{ran}` stands for.
RAN = "top.postMessage('ran','*')"

PAGES = (
    # Scripts, in every way that they can be written.
    "<script>{ran};fetch('{host}',{mode:'no-cors'})</script>",
    "<script type=module>{ran}</script>",
    "<img src=x onerror={ran}><svg onload={ran}></svg><body onload={ran}>",
    "<iframe srcdoc=\"<script>{ran};location='{host}'</script>\"></iframe>",
    '<iframe src="javascript:{ran}"></iframe><embed src="javascript:{ran}">',
    '<a href="javascript:{ran}">a</a>',
    '<svg><a xlink:href="javascript:{ran}"><text y=20>a</text></a></svg>',
    '<svg><a><set attributeName="href" to="javascript:{ran}"/><text y=20>a</text></a></svg>',
    "<svg><script>{ran}</script><script href='data:text/javascript,{ran}'/></svg>",
    "<script src='data:text/javascript,{ran}'></script>",
    '<form action="javascript:{ran}"><button>a</button></form>',
    "<noscript><p title='</noscript><img src=x onerror={ran}>'></noscript>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--><img src=x onerror={ran}>'>",
    "<template shadowrootmode=open><script>{ran}</script><link rel=preconnect href={host}></template>",
    "<details open ontoggle={ran}>x</details><input autofocus onfocus={ran}>",
    # Files of another host.
    "<img src={host}><img srcset='{host} 2x'><picture><source srcset={host}><img></picture>",
    "<style>@import '{host}';body{background:url({host})}p{list-style:url({host})}</style>",
    "<style>@font-face{font-family:x;src:url({host})}p{font-family:x}</style><p>x</p>",
    "<p style=\"background:image-set('{host}' 1x);cursor:url({host}),auto\">x</p>",
    "<link rel=stylesheet href={host}><link rel=icon href={host}><link rel=manifest href={host}>",
    "<video src={host} poster={host} autoplay></video><audio src={host}></audio>",
    "<video autoplay><source src={host}><track src={host} default></video>",
    "<iframe src={host}></iframe><object data={host}></object><embed src={host}>",
    "<frameset><frame src={host}></frameset>",
    "<table background={host}><tr><td background={host}>x</table><input type=image src={host}>",
    "<svg><image href={host} /><image xlink:href={host} /><use href='{host}#a'/></svg>",
    "<svg><filter id=f><feImage href={host} /></filter><rect filter=url(#f) width=9 height=9 /></svg>",
    "<svg><style>@import '{host}'</style><rect fill=url({host}#x) width=9 height=9 /></svg>",
    "<img attributionsrc={host} src=data:,>",
    # Connections before there is a request, and other pages.
    "<link rel=preconnect href={host}><link rel=dns-prefetch href={host}>",
    "<link rel=prefetch href={host}><link rel=preload as=image href={host}>",
    "<link rel=modulepreload href={host}><link rel=prerender href={host}><link rel=next href={host}>",
    '<script type=speculationrules>{"prefetch":[{"urls":["{host}"],"eagerness":"immediate"}]}</script>',
    "<meta http-equiv=refresh content='0;url={host}'>",
    "<base href={host}><a href=x>a</a><img src=x>",
    "<a href={host} ping={host}>a</a>",
    "<a href={host} target=_blank>a</a>",
    "<a href={host} target=_top>a</a>",
    "<a href={host} download>a</a>",
    "<map name=m><area shape=default href={host}></map><img usemap=#m width=50 height=50 src=data:,>",
    "<svg><a href={host}><text y=20>a</text></a></svg>",
    "<svg><a><animate attributeName=href values={host} /><text y=20>a</text></a></svg>",
    "<math><mtext href={host}>a</mtext></math>",
    "<form action={host} method=post><button>a</button></form>",
    "<form><button formaction={host} formtarget=_top>a</button></form>",
    # What a later reading of the same text could make of it.
    "<svg><style><a title='</style><meta http-equiv=refresh content=0;url={host}>'></style></svg>",
)
IMAGES = (
    "<svg xmlns='http://www.w3.org/2000/svg'><script>{ran}</script></svg>",
    "<svg xmlns='http://www.w3.org/2000/svg'><image href='{host}' width='9' height='9'/></svg>",
    "<svg xmlns='http://www.w3.org/2000/svg'><style>@import '{host}';</style><rect width='9' height='9'/></svg>",
    "<?xml-stylesheet href='{host}'?><svg xmlns='http://www.w3.org/2000/svg'/>",
    "<!DOCTYPE svg [<!ENTITY x SYSTEM '{host}'>]><svg xmlns='http://www.w3.org/2000/svg'><text y='9'>&x;</text></svg>",
    "<svg xmlns='http://www.w3.org/2000/svg'><foreignObject width='99' height='99'>"
    "<iframe xmlns='http://www.w3.org/1999/xhtml' src='{host}'/></foreignObject></svg>",
)
DIAGRAMS = (
    'graph TD\n  A["<img src={host}>"] --> B',
    'graph TD\n  A["<img src=x onerror={ran}>"] --> B',
    'graph TD\n  A --> B\n  click A href "{host}" _top',
    'graph TD\n  A --> B\n  click A call top.postMessage("ran", "*")',
    '%%{init: {"securityLevel": "loose", "themeCSS": "@import \'{host}\';"}}%%\ngraph TD\n'
    "  A[\"<img src=x onerror=top.postMessage('ran','*')>\"] --> B",
    "graph TD\n  A --> B\n  style A fill:url({host})",
    'graph TD\n  A@{ img: "{host}", label: "x" }',
)
