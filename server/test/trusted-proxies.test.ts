/** The client address: that of the connection, or the one that a trusted proxy reports. */
import { describe, expect, test } from 'vitest'
import { withServer } from './server.ts'

const client = '203.0.113.9'
const tokenPath = '/auth/realms/kontor/protocol/openid-connect/token'

describe.each([
  ['without trusted proxies', 'none', '127.0.0.1'],
  ['behind a trusted proxy', '10.0.0.0/8,127.0.0.1', client],
  ['behind another proxy', '10.0.0.0/8', '127.0.0.1'],
])('%s', (_, trusted, expected) => {
  const api = withServer({ KONTOR_TRUSTED_PROXIES: trusted })

  test(`a failed sign-in counts for ${expected}`, async () => {
    const form = { grant_type: 'password', client_id: 'kontor-ui', username: 'nobody', password: 'wrong' }
    const headers = { 'x-forwarded-for': `198.51.100.1, ${client}` }
    const options = { token: null, type: 'application/x-www-form-urlencoded', headers }
    expect((await api.post(tokenPath, new URLSearchParams(form).toString(), options)).status).toBe(401)
    const { json } = await api.get('/api/v1/identity/audit?action=sign-in', { token: api.adminToken })
    expect(json.events[0]).toMatchObject({ actor: 'nobody', address: expected })
  })
})
