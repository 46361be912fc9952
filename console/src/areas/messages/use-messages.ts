/** Loads the inbox page by page, and marks messages as read or unread. */
import type { Infer, Message } from '@kontor/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useChange } from '../../object/change.ts'
import { useClient } from '../../object/client.tsx'

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

export function useMarkMessages() {
  const { common } = useClient()
  const change = useChange(['messages'])
  return (messages: readonly InboxMessage[], isRead: boolean) =>
    change(() => common.readMessages({ body: { ids: messages.map(({ id }) => id!), isRead } }))
}
