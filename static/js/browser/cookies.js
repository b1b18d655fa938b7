/**
 * A cookie's value as it is now. Signing in, in another tab, changes the CSRF cookie: never keep it.
 * @param {string} name
 * @param {string} [jar]
 */
export function readCookie(name, jar = document.cookie) {
  const pair = jar.split("; ").find((each) => each.startsWith(`${name}=`));
  return pair ? decodeURIComponent(pair.slice(name.length + 1)) : "";
}
