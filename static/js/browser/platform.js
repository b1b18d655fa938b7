/** Whether shortcuts are made with ⌘ here. */
export function isMac() {
  const { userAgentData, platform } = /** @type {Navigator & {userAgentData?: {platform: string}}} */ (navigator);
  return /mac|iphone|ipad/i.test(userAgentData?.platform ?? platform);
}
