/** Whether shortcuts use ⌘ on this platform. */
export function isMac() {
  const { userAgentData, platform } = /** @type {Navigator & {userAgentData?: {platform: string}}} */ (navigator);
  return /mac|iphone|ipad/i.test(userAgentData?.platform ?? platform);
}
