/** Where workflows may not lead: into our own network. */
import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { callWebhook } from './webhook.ts'

const config = readConfig({ KONTOR_WORKFLOW_SECRET: 'whsec_c2VjcmV0' })

test.each([
  'http://example.com/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://169.254.169.254/latest/meta-data',
  'https://localhost/',
  'https://user:secret@example.com/',
  'file:///etc/passwd',
  'nonsense',
])('%s is refused, and not tried again', async (url) => {
  await expect(callWebhook(config, 'id', url, {})).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringContaining('url'),
  })
})

test('without a secret nothing is sent', async () => {
  await expect(callWebhook(readConfig({}), 'id', 'https://example.com/', {})).rejects.toThrow('KONTOR_WORKFLOW_SECRET')
})
