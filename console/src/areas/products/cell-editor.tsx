/** Edits a value in the grid. Enter or blur saves, Escape cancels, and a saved change can be undone. */
import { Box } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { accepted } from '../../object/records.ts'
import type { Attribute } from '../../object/values/attribute.ts'
import { type Texts, textsOf, toVal } from '../../object/values/draft.ts'
import { ValueField } from '../../object/values/value-field.tsx'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { productsKey, type Row, valOf } from './list.ts'

interface CellEditorProps {
  readonly row: Row
  readonly attribute: Attribute
  readonly locale: string
  readonly onClose: () => void
}

export function CellEditor({ row, attribute, locale, onClose }: CellEditorProps) {
  const word = useTexts(commonTexts)
  const { pim } = useClient()
  const queryClient = useQueryClient()
  const before = textsOf(valOf(row, attribute.key), locale)
  const [now, setNow] = useState<Texts>(before)
  const store = async (written: Texts) => {
    const val = toVal(attribute, new Map([[locale, written]]))
    await accepted(pim.products.persist([{ tid: row.tid!, vals: { val: [val] } }]))
    await queryClient.invalidateQueries({ queryKey: productsKey })
  }
  // Enter closes the editor, and so also blurs it
  const isOver = useRef(false)
  const finish = () => {
    if (isOver.current) return
    isOver.current = true
    onClose()
    if (now.join('\0') === before.join('\0')) return
    store(now).then(
      () => notifyDone(`${attribute.label}: ${word('saved')}`, { label: word('undo'), run: () => void store(before) }),
      (error: unknown) => notifyFailed(word('failed'), error),
    )
  }
  return (
    <Box
      w="100%"
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && finish()}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
        else if (event.key === 'Enter' && !event.shiftKey && !attribute.options) finish()
        else return
        event.preventDefault()
      }}
    >
      <ValueField
        attribute={attribute}
        texts={now}
        onChange={setNow}
        aria-label={attribute.label}
        size="xs"
        autoFocus
      />
    </Box>
  )
}
