/**
 * Every operation of the OpenAPI document, called with generated requests in every format: valid ones, invalid ones and
 * other methods. No reply is a server error, every reply is one that the document describes, valid requests are accepted
 * and invalid ones refused, except for those that docs/gaps.md explains.
 *
 * `npm run test:schemathesis` sets KONTOR_TEST_SCHEMATHESIS to the program; without it the calls are skipped.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withServer } from '../server/test/server.ts'
import { isExplained, reasons } from './schemathesis/explained.ts'
import { run } from './schemathesis/run.ts'

const {
  KONTOR_TEST_SCHEMATHESIS: program,
  KONTOR_SCHEMATHESIS_EXAMPLES: examples = '2',
  KONTOR_SCHEMATHESIS_FORMAT: only,
} = process.env
const formats = ['application/json', 'application/xml', 'application/json+compact']

test('the reason of each exception is documented', () => {
  const gaps = readFileSync(new URL('../docs/gaps.md', import.meta.url), 'utf8')
  expect(reasons.filter((reason) => !gaps.includes(reason))).toEqual([])
})

describe.skipIf(program === undefined)('generated requests', () => {
  const api = withServer({ KONTOR_LOG_LEVEL: 'error' })
  const folder = process.env.KONTOR_SCHEMATHESIS_REPORT ?? mkdtempSync(join(tmpdir(), 'kontor-schemathesis-run-'))
  const tokens = createServer(
    (_, reply) => void api.tokenFor({ roles: ['user', 'admin'] }).then((token) => reply.end(token)),
  )
  let url: string
  beforeAll(async () => {
    url = await api.listen()
    await new Promise<void>((resolve) => tokens.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    tokens.close()
    if (process.env.KONTOR_SCHEMATHESIS_REPORT === undefined) rmSync(folder, { recursive: true, force: true })
  })

  test.each(formats.filter((format) => only === undefined || format === only))(
    'in %s are answered as the OpenAPI document says',
    { timeout: 3_600_000 },
    async (format) => {
      const service = `http://127.0.0.1:${(tokens.address() as AddressInfo).port}`
      const report = await run({ program: program!, folder, url, tokens: service, format, examples })
      const { operations, errors, findings, test_cases } = report
      console.log(
        `${format}: ${operations.tested} operations, ${JSON.stringify(test_cases)}, ${findings.length} findings`,
      )
      expect(operations.tested).toBe(operations.total)
      expect(errors).toEqual([])
      const faults = findings.filter((finding) => !isExplained(finding))
      expect(faults.map(({ check, operation, message }) => `${check} ${operation}: ${message.slice(0, 300)}`)).toEqual(
        [],
      )
      expect(api.log.filter(({ level }) => level === 'error').map(({ err, msg }) => err ?? msg)).toEqual([])
    },
  )
})
