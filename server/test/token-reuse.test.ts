/** A reused refresh token: its owner gets one message about it, however often it is tried. */
import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { withServer } from './server.ts'

const api = withServer({ KONTOR_REVOKE_REFRESH_TOKENS: 'true' })

test('the user gets one message in their inbox, even if somebody took its likely id before', async () => {
  const user = (await api.app.identity.users.find({ name: 'kim' }))!
  const { refresh_token: token } = await api.app.identity.issueTokens(user, 'openid offline_access')
  const { sid, oid } = decodeJwt<{ sid: string; oid: string }>(token!)
  for (const id of [sid, oid]) {
    const message = {
      tid: `token-reuse-${id}`,
      recipientUser: 'ada',
      subject: 'taken',
      body: 'taken',
      severity: 'INFO',
    }
    const { status, text } = await api.post('/api/core/v1/common/messages/persist', { messages: [message] })
    expect(status, text).toBe(200)
  }
  const form = { grant_type: 'refresh_token', client_id: 'kontor-ui', refresh_token: token! }
  const exchange = () =>
    api.post('/auth/realms/kontor/protocol/openid-connect/token', new URLSearchParams(form).toString(), {
      token: null,
      type: 'application/x-www-form-urlencoded',
    })
  expect((await exchange()).status).toBe(200)
  for (const { status } of await Promise.all([exchange(), exchange(), exchange()])) expect(status).toBe(400)
  const { json } = await api.get('/api/core/v1/common/messages')
  expect(json.messages).toEqual([
    expect.objectContaining({ subject: 'A token of yours was used twice', severity: 'WARN', recipientUser: 'kim' }),
  ])
  expect(json.messages[0].body).toContain('127.0.0.1')
})
