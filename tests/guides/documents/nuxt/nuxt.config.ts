// Nuxt 4.4.5 stores the first page's payload as "/", which the unstorage of its range refuses: so without payloads.
export default defineNuxtConfig({ experimental: { payloadExtraction: false } });
