/** The inbox, page by page, and what marks its messages. */
import type { Infer, Message } from '@kontor/contract'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import { tellFailed } from '../../ui/tell.tsx'
import { words } from '../../ui/words.ts'

export type InboxMessage = Infer<typeof Message>
const pageSize = 50

export function useInbox(unreadOnly: boolean) {
  const { common } = useClient()
  return useInfiniteQuery({
    queryKey: ['messages', 'inbox', unreadOnly],
    initialPageParam: '',
    queryFn: async ({ pageParam: before }) => {
      const query = { count: String(pageSize), ...(unreadOnly && { unread: 'true' }), ...(before && { before }) }
      return (await common.listMessages({ query })).messages ?? []
    },
    getNextPageParam: (page) => (page.length < pageSize ? undefined : String(page.at(-1)!.id)),
    select: ({ pages }) => pages.flat(),
  })
}

export function useMarking() {
  const word = useTexts(words)
  const { common } = useClient()
  const queries = useQueryClient()
  return async (messages: readonly InboxMessage[], isRead: boolean) => {
    try {
      await common.readMessages({ body: { ids: messages.map(({ id }) => id!), isRead } })
    } catch (error) {
      tellFailed(word('failed'), error)
    }
    await queries.invalidateQueries({ queryKey: ['messages'] })
  }
}
