/** Whether shortcuts are made with ⌘ here. */
export function isMac() {
  const { userAgentData, platform } = /** @type {any} */ (navigator);
  return /mac|iphone|ipad/i.test(userAgentData?.platform ?? platform);
}
