/** Categories as cells name them: by path, by tid, or by the names that people see. */
import type { Context } from '../core/context.ts'
import type { TransferNeeds } from './needs.ts'
import type { Plan } from './plan.ts'

/** The path of a category. An unknown text stays as it is: persist refuses it. */
export async function categoryFinder(
  needs: TransferNeeds,
  ctx: Context,
  plan: Plan | undefined,
): Promise<(text: string) => string> {
  if (!plan || plan.levels[0].node < 0) return (text) => text
  const find = await needs.findCategory(ctx)
  const found = new Map<string, string>()
  return (text) => {
    const path = found.get(text) ?? find(text) ?? text
    found.set(text, path)
    return path
  }
}
