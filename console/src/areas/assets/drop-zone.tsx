/** An area that uploads the files and folders that are dropped on it. */
import { Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'
import classes from './assets-page.module.css'

interface DropZoneProps {
  /** The folder to upload into; without one, nothing can be dropped. */
  readonly target: string | undefined
  readonly onFiles: (files: File[]) => void
  readonly children: ReactNode
}

export function DropZone({ target, onFiles, children }: DropZoneProps) {
  const t = useTexts(texts)
  const [over, setOver] = useState(false)
  const canDrop = (event: DragEvent) => target !== undefined && event.dataTransfer.types.includes('Files')
  return (
    <div
      className={classes.zone}
      onDragOver={(event) => {
        if (!canDrop(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        if (!canDrop(event)) return
        event.preventDefault()
        void droppedFiles(event).then(onFiles)
      }}
    >
      {children}
      {over && (
        <div className={classes.over}>
          <IconUpload size={40} stroke={1.4} />
          <Text fw={600}>{t('dropHere', { path: target ?? '' })}</Text>
        </div>
      )}
    </div>
  )
}

/** The dropped files, and all files in dropped folders. */
export async function droppedFiles(event: DragEvent): Promise<File[]> {
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  return (await Promise.all(entries.map(filesIn))).flat()
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))]
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const files: File[] = []
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) return files
    files.push(...(await Promise.all(batch.map(filesIn))).flat())
  }
}
