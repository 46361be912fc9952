/** The HTTP server itself, with routes of its own. */
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { answerFailures } from './failure.ts'
import { createHttp } from './http.ts'

test('a reply whose stream fails before anybody listens to it is an internal error, and not the end of the process', async () => {
  const http = createHttp(readConfig({ KONTOR_LOG_LEVEL: 'silent' }), {})
  answerFailures(http)
  http.addHook('onSend', () => pause(50))
  http.get('/', async (_request, reply) => reply.send(new Readable({ read() {} }).destroy(new Error('broken'))))
  expect((await http.inject('/')).statusCode).toBe(500)
  await http.close()
})
