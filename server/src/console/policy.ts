/**
 * The content security policy of the console. Scripts come from this server only, and eval is not allowed. Inline styles are
 * allowed, because the component library and the diagrams use them; they cannot load anything from elsewhere.
 */

/** `signIn` is the origin of the provider, from which the page requests tokens. */
export const pagePolicy = (signIn: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self' data:",
    `connect-src 'self' ${signIn}`,
    "worker-src 'self' blob:",
    "frame-src 'self' blob:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
