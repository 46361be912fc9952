/** Asks for confirmation before objects are deleted. */
import { confirmDanger } from '../ui/confirm.tsx'
import { useTexts } from '../ui/language.tsx'
import { words } from '../ui/words.ts'

export function useConfirmDelete() {
  const word = useTexts(words)
  return (title: string, body: string, onConfirm: () => unknown) =>
    confirmDanger({ title, body, confirm: word('delete'), cancel: word('cancel'), onConfirm: () => void onConfirm() })
}
