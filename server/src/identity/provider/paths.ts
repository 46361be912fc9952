/** The paths below /auth/realms/{realm}, which are the same as Keycloak's, and the scopes. */

/** The paths of the provider library's endpoints, under the library's names. */
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

/** Every route here is public: callers are not authenticated before they have signed in. */
export const open = { config: { access: 'public', signIn: true } } as const
