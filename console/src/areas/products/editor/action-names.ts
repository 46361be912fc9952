/** The names of actions in a history, for people. */
type Names = 'action_create' | 'action_update' | 'action_link' | 'action_unlink' | 'action_copy' | 'action_delete'

const named = ['create', 'update', 'link', 'unlink', 'copy', 'delete'] as const

export const actionIn = (t: (key: Names) => string, action = 'update'): string =>
  t(`action_${named.find((one) => one === action) ?? 'update'}`)
