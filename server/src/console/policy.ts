/**
 * What the console's page may load. Scripts come from this server alone and nothing is evaluated. Styles may stand in the
 * page, because the component library and the diagrams write them there; they can load nothing from elsewhere.
 */

/** `signIn` is the origin of the provider; the page asks it for tokens. */
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
