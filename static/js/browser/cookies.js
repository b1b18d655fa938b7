/**
 * Return the current value of a cookie. Signing in in another tab changes the CSRF cookie, so never cache it.
 * @param {string} name
 * @param {string} [jar]
 */
export function readCookie(name, jar = document.cookie) {
  const pair = jar.split("; ").find((each) => each.startsWith(`${name}=`));
  return pair ? decodeURIComponent(pair.slice(name.length + 1)) : "";
}
