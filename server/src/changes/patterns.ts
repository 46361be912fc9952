/** /changes/patterns: guesses how file names contain products. */
import type { change as contract, PatternRequest, Infer } from '@kontor/contract'
import type { Context } from '../core/context.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { guessPatterns } from './link-by-name.ts'
import { type ChangeNeeds, resourceOf, retrieveAll } from './needs.ts'
import { loadDefinitions } from './operations.ts'
import { selectedTids } from './select.ts'
import type { ObjectMessage } from './slots.ts'

const maxExamined = 500

export const patternRoute = (needs: ChangeNeeds): RouteHandlers<Pick<typeof contract.routes, 'guessPatterns'>> => ({
  guessPatterns: (ctx, { body }) => guess(needs, ctx, body),
})

async function guess(needs: ChangeNeeds, ctx: Context, { selection }: Infer<typeof PatternRequest>) {
  const tids = await selectedTids(needs, ctx, 'asset', selection, '/patternRequest/selection', maxExamined)
  const files = tids.length > 0 ? await retrieveAll<ObjectMessage>(ctx, resourceOf(needs, 'asset'), { tids }) : []
  const names = files.flatMap(({ name }) => name ?? [])
  const definitions = await loadDefinitions(needs, ctx, 'product')
  return { examined: names.length, guesses: await guessPatterns(needs, ctx, names, definitions) }
}
