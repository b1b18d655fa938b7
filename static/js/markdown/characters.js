/** Lookalike and invisible characters. Pure. */

const NAMED = new Map(
  Object.entries({
    amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", ensp: "\u2002", emsp: "\u2003", thinsp: "\u2009",
    zwnj: "\u200c", zwj: "\u200d", shy: "\u00ad", copy: "©", reg: "®", trade: "™", deg: "°", para: "¶", sect: "§",
    middot: "·", bull: "•", hellip: "…", ndash: "–", mdash: "—", lsquo: "‘", rsquo: "’", sbquo: "‚", ldquo: "“",
    rdquo: "”", bdquo: "„", laquo: "«", raquo: "»", lsaquo: "‹", rsaquo: "›", iexcl: "¡", iquest: "¿", dagger: "†",
    Dagger: "‡", permil: "‰", euro: "€", pound: "£", yen: "¥", cent: "¢", curren: "¤", times: "×", divide: "÷",
    plusmn: "±", minus: "−", frac12: "½", frac14: "¼", frac34: "¾", sup1: "¹", sup2: "²", sup3: "³", micro: "µ",
    larr: "←", uarr: "↑", rarr: "→", darr: "↓", harr: "↔", lArr: "⇐", rArr: "⇒", hArr: "⇔", ne: "≠", le: "≤", ge: "≥",
    asymp: "≈", equiv: "≡", infin: "∞", sum: "∑", prod: "∏", radic: "√", int: "∫", part: "∂", nabla: "∇", isin: "∈",
    notin: "∉", cap: "∩", cup: "∪", sub: "⊂", sup: "⊃", sube: "⊆", supe: "⊇", and: "∧", or: "∨", not: "¬", forall: "∀",
    exist: "∃", empty: "∅", check: "✓", cross: "✗", star: "☆", hearts: "♥", prime: "′", Prime: "″", perp: "⊥",
    alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", zeta: "ζ", eta: "η", theta: "θ", lambda: "λ", mu: "μ",
    pi: "π", rho: "ρ", sigma: "σ", tau: "τ", phi: "φ", chi: "χ", psi: "ψ", omega: "ω", Gamma: "Γ", Delta: "Δ",
    Theta: "Θ", Lambda: "Λ", Pi: "Π", Sigma: "Σ", Phi: "Φ", Psi: "Ψ", Omega: "Ω", auml: "ä", ouml: "ö", uuml: "ü",
    Auml: "Ä", Ouml: "Ö", Uuml: "Ü", szlig: "ß", agrave: "à", aacute: "á", acirc: "â", atilde: "ã", aring: "å",
    aelig: "æ", AElig: "Æ", ccedil: "ç", egrave: "è", eacute: "é", ecirc: "ê", euml: "ë", iacute: "í", icirc: "î",
    iuml: "ï", ntilde: "ñ", oacute: "ó", ocirc: "ô", oslash: "ø", uacute: "ú", ucirc: "û",
  }),
); // prettier-ignore
const REFERENCE = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][a-zA-Z\d]{1,31}));/g;
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
// eslint-disable-next-line no-misleading-character-class -- each code point is invisible by itself
const UNSEEN = /[\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\u{e0000}-\u{e0fff}]/u;

/** Replace character references; those with an unknown name stay. @param {string} text */
export function decodeEntities(text) {
  if (!text.includes("&")) return text;
  return text.replace(REFERENCE, (reference, decimal, hexadecimal, name) => {
    if (name) return NAMED.get(name) ?? reference;
    return character(decimal ? Number(decimal) : parseInt(hexadecimal, 16));
  });
}

/** @param {number} code */
function character(code) {
  const isOne = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isOne ? String.fromCodePoint(code) : "\ufffd";
}

/**
 * Spell out characters that change the direction of text, so that code looks as it runs.
 * @param {string} code
 */
export function showBidiControls(code) {
  return code.replace(DIRECTION, (each) => `[U+${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
}

/** Remove characters that change the direction of text. @param {string} text */
export function stripBidiControls(text) {
  return text.replace(DIRECTION, "");
}

/** @param {string} text */
export function hasInvisibleCharacters(text) {
  return UNSEEN.test(text);
}
