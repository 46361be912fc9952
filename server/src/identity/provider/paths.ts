/** Where everything is, below /auth/realms/{realm}, and what can be asked for there. The paths are Keycloak's. */

/** Those that the provider knows, under its names for them. */
// prettier-ignore
export const providerPaths = {
  authorization: '/protocol/openid-connect/auth',
  token:         '/protocol/openid-connect/token',
  introspection: '/protocol/openid-connect/token/introspect',
  userinfo:      '/protocol/openid-connect/userinfo',
  jwks:          '/protocol/openid-connect/certs',
  revocation:    '/protocol/openid-connect/revoke',
  end_session:   '/protocol/openid-connect/logout',
} as const

// prettier-ignore
export const paths = {
  ...providerPaths,
  discovery:     '/.well-known/openid-configuration',
  login:         '/login',
  password:      '/password',
  stylesheet:    '/login.css',
  wordmark:      '/kontor.svg',
} as const

export const scopes = ['openid', 'offline_access', 'profile', 'email'] as const

/** Every route here is open: signing in is how callers get to be known. */
export const open = { config: { access: 'public', lane: 'sign-in' } } as const
