import { expect, test } from 'vitest'
import { withServer } from '../../server/test/server.ts'
import { runCli, temporaryFolder } from '../test/run-cli.ts'

const api = withServer()

test('a client signs in with its id and secret from the environment', async () => {
  const made = await api.post('/api/v1/identity/clients', { id: 'erp', roles: ['reader'] }, { token: api.adminToken })
  expect(made.status, made.text).toBeLessThan(300)
  const env = { KONTOR_CLI_HOME: temporaryFolder(), KONTOR_URL: await api.listen() }
  const as = (secret: object) => runCli(['whoami'], { ...env, KONTOR_CLIENT_ID: 'erp', ...secret })
  const { code, stdout, stderr } = await as({ KONTOR_CLIENT_SECRET: made.json.secret })
  expect([code, stdout.trim(), stderr]).toEqual([0, 'service-account-erp: reader', ''])
  const [wrong, missing] = [await as({ KONTOR_CLIENT_SECRET: 'wrong' }), await as({})]
  expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining('client authentication failed')])
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('set both KONTOR_CLIENT_ID')])
})
