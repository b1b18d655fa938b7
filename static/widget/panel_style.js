/** The style of the frame, its skeleton and what only it changes on the button, in the shadow root of w.js. */

/** @param {string} small the media query of windows that the chat fills */
export const styleFor = (small) => `
b{position:absolute;inset:-4px -4px auto auto!important;min-inline-size:22px;padding:2px;border-radius:11px;background:#b00;color:#fff;font-size:12px}
[aria-busy=true] svg{opacity:.5}
iframe,i{display:block;inset-block-end:calc(var(--gap) + 68px);inline-size:min(var(--runnel-width,400px),100% - 2*var(--gap));block-size:min(var(--runnel-height,640px),100% - 2*var(--gap) - 68px);border:1px solid #8884;border-radius:var(--runnel-radius,16px);box-shadow:0 8px 40px #0004;visibility:hidden}
i{color-scheme:light dark;position:fixed;inset-inline-end:var(--gap);background:linear-gradient(#8883 0 0) 24px 32px/50% 16px no-repeat,linear-gradient(#8883 0 0) 24px 64px/70% 16px no-repeat,linear-gradient(#8883 0 0) 24px calc(100% - 24px)/calc(100% - 48px) 44px no-repeat,light-dark(#fff,#161a1d)}
.open i,.open .here{visibility:visible}
.here~i{display:none}
.inline{position:relative;display:grid;grid-template-rows:minmax(0,640px) auto;block-size:var(--runnel-height,100%)}
.inline :is(iframe,i){position:absolute;inset:0;inline-size:100%;block-size:100%;box-shadow:none}
div>.preview{visibility:visible;inline-size:min(320px,100% - 2*var(--gap));block-size:112px}
@media ${small}{:not(.inline)>:is(iframe:not(.preview),i){inset:0!important;inline-size:100%;block-size:100%;border:0;border-radius:0}.open:has(.here) button,button span{display:none}}`;
