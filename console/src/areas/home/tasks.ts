/** Open tasks of the signed-in user. */
import { useQuery } from '@tanstack/react-query'
import { useClient, useComponents } from '../../object/client.tsx'

export function useTasks() {
  const { workflow } = useClient()
  const components = useComponents()
  return useQuery({
    queryKey: ['tasks', 'inbox', 'home'],
    enabled: components['workflow'] === 'active',
    queryFn: () => workflow.queryTasks({ body: { scope: 'inbox', sort: 'dueDate', count: 6 } }),
  })
}
