/** Mails of processes: each arrives, and if it arrives again, with the same Message-ID. */
import { sql } from '../../../server/src/adapters/postgres/sql.ts'
import { bpmn } from '../../../server/test/bpmn.ts'
import { call } from '../client.ts'
import { late } from '../world.ts'
import type { OpenArea } from './area.ts'

const mailTo = `<extensionElements><kontor:input name="to">buyer@example.com</kontor:input>
  <kontor:input name="subject">mail of \${process.tid}</kontor:input><kontor:input name="text">done</kontor:input>
</extensionElements>`
const model = bpmn('start > send:service > end', '', { send: mailTo }, '', {}, 'mails').replace('"note"', '"sendMail"')
const configIdentifier = 'F.WorkflowConfig.Mails'

export const mailArea: OpenArea = (world) => {
  const { mails } = world.places.get('mail')!
  /** Starts. */
  let [acknowledged, unknown] = [0, 0]
  const post = (path: string, body: object) => call(world, `/api/v1/workflow/${path}`, { body })
  return {
    async prepare() {
      await post('definitions/deploy', { xml: model })
      await post('configurations/persist', { identifier: configIdentifier, definitionKey: 'mails' })
    },
    async step() {
      const { kind } = await post('start', { configIdentifier, processStartRequests: [{}] })
      if (kind === 'ok') acknowledged++
      if (kind === 'unknown') unknown++
    },
    async *check() {
      const processes = () =>
        world.db.rows<{ tid: string; state: string }>(sql`
          select tid, state from workflow_process where config_identifier = ${configIdentifier}`)
      const areEnded = async () => (await processes()).every(({ state }) => state !== 'running')
      yield* late(areEnded, world, 'all processes with mails have ended')
      const { length } = await processes()
      if (length < acknowledged || length > acknowledged + unknown)
        yield `${acknowledged} processes with mails were started, ${unknown} perhaps, and there are ${length}`
      const ids = Map.groupBy(mails!, (text) => /^Subject: (.*)\r$/m.exec(text)?.[1])
      for (const { tid, state } of await processes()) {
        const own = new Set((ids.get(`mail of ${tid}`) ?? []).map((text) => /^Message-ID: (.*)\r$/im.exec(text)?.[1]))
        if (own.size !== 1 || state !== 'finished') yield `${tid} is ${state} and has sent ${own.size} different mails`
      }
    },
  }
}
