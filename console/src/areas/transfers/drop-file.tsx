/** An area on which a file to import can be dropped. */
import { Box, Center, Text } from '@mantine/core'
import { type DragEvent, type ReactNode, useState } from 'react'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'

interface DropFileProps {
  readonly isActive: boolean
  readonly onFile: (file: File) => void
  readonly children: ReactNode
}

export function DropFile({ isActive, onFile, children }: DropFileProps) {
  const t = useTexts(texts)
  const [isOver, setOver] = useState(false)
  const canDrop = (event: DragEvent) => isActive && event.dataTransfer.types.includes('Files')
  return (
    <Box
      pos="relative"
      h="100%"
      onDragOver={(event) => {
        if (!canDrop(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        const [file] = event.dataTransfer.files
        if (!canDrop(event) || !file) return
        event.preventDefault()
        onFile(file)
      }}
    >
      {children}
      {isOver && (
        <Center pos="absolute" inset={0} bg="var(--mantine-color-body)" opacity={0.9} style={{ pointerEvents: 'none' }}>
          <Text fw={600}>{t('dropHere')}</Text>
        </Center>
      )}
    </Box>
  )
}
