/** Pictures: each gets its previews once everything is calm again, whatever was killed while they were made. */
import { sql } from '../../../server/src/adapters/postgres/sql.ts'
import { form, paramsPart, payloadPart, picture } from '../../../server/test/files.ts'
import { core, recordsOf } from '../client.ts'
import { until } from '../world.ts'
import type { OpenArea } from './area.ts'

export const pictureArea: OpenArea = (world) => {
  const stored: string[] = []
  return {
    async step(client) {
      if (!client.random.chance(0.3)) return
      const tid = client.fresh()
      const bytes = await picture(1 + client.random.below(400), 1 + client.random.below(400), 'png')
      const { body, type } = form(paramsPart({ path: `/MAM/faults/${tid}.png`, tid }), payloadPart(bytes))
      const reply = await client.call(`${core}/dam/assets/bin/persist`, { body, type })
      if (reply.kind === 'ok' && recordsOf(reply)[0]?.status !== 'ERROR') stored.push(tid)
    },
    async *check() {
      const lacking = () =>
        world.db.rows<{ tid: string; status: string }>(sql`
          select e.tid, concat_ws(': ', e.import_status, a.note) as status
          from dam_entry e left join file_analysis a on a.sha256 = e.sha256
          where e.tid = any(${stored}::text[]) and (e.import_status <> 'available'
            or not exists (select from asset_preview p where p.asset_id = e.id and p.source = e.sha256))`)
      const there = await world.db.rows<{ tid: string }>(
        sql`select tid from dam_entry where tid = any(${stored}::text[]) and deleted_at is null`,
      )
      const found = new Set(there.map(({ tid }) => tid))
      const lost = stored.filter((tid) => !found.has(tid))
      if (lost.length > 0) yield `${lost.length} of ${stored.length} acknowledged pictures are lost, as ${lost[0]}`
      const areAllMade = async () => (await lacking()).length === 0
      try {
        await until(areAllMade, world.timeout, 'all pictures have their previews')
      } catch (error) {
        const [first, ...others] = await lacking()
        if (first) yield `${(error as Error).message}; ${1 + others.length} have not, as ${first.tid}: ${first.status}`
      }
    },
  }
}
