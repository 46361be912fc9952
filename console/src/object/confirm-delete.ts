/** Asks for confirmation before objects are deleted. */
import { confirmDanger } from '../ui/confirm.tsx'
import { useTexts } from '../ui/language.tsx'
import { commonTexts } from '../ui/common-texts.ts'

export function useConfirmDelete() {
  const word = useTexts(commonTexts)
  return (title: string, body: string, onConfirm: () => unknown) =>
    confirmDanger({ title, body, confirm: word('delete'), cancel: word('cancel'), onConfirm: () => void onConfirm() })
}
