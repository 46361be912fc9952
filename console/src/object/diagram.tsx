/** A BPMN diagram, to read or to edit, in which the state of a process can be marked. bpmn-js is loaded on demand. */
import 'bpmn-js/dist/assets/diagram-js.css'
import 'bpmn-js/dist/assets/bpmn-js.css'
import 'bpmn-js/dist/assets/bpmn-font/css/bpmn-embedded.css'
import { useEffect, useRef, useState } from 'react'
import { Loading } from '../ui/states.tsx'
import classes from './diagram.module.css'

interface DiagramProps {
  readonly xml: string
  readonly label: string
  readonly active?: readonly string[]
  readonly done?: readonly string[]
  readonly taken?: readonly string[]
  /** Translates the names in a diagram that is only read. */
  readonly words?: (name: string) => string
  /** Makes it an editor; gets the XML after every change. */
  readonly onChange?: (xml: string) => void
}

interface Canvas {
  zoom(how: 'fit-viewport' | number, centre?: 'auto'): number
  scrollToElement(id: string, padding: number): void
  addMarker(id: string, name: string): void
}
interface Drawing {
  importXML(xml: string): Promise<unknown>
  saveXML(options: { format: boolean }): Promise<{ xml?: string }>
  get<T>(name: string): T
  on(event: string, listener: () => void): void
  destroy(): void
}

const none: readonly string[] = []
/** Smaller, its words cannot be read; then a part is shown, and the rest is reached by dragging. */
const smallest = 0.75

export function Diagram({ xml, label, active = none, done = none, taken = none, words, onChange }: DiagramProps) {
  const container = useRef<HTMLDivElement>(null)
  const latestOnChange = useRef(onChange)
  latestOnChange.current = onChange
  const latestWords = useRef(words)
  latestWords.current = words
  const edited = onChange !== undefined
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => {
    let drawing: Drawing | undefined
    let isUnmounted = false
    void (async () => {
      const { default: Library } = edited
        ? await import('bpmn-js/lib/Modeler')
        : await import('bpmn-js/lib/NavigatedViewer')
      if (isUnmounted || !container.current) return
      drawing = new Library({ container: container.current }) as unknown as Drawing
      await drawing.importXML(edited ? xml : inWords(xml, latestWords.current))
      const canvas = drawing.get<Canvas>('canvas')
      if (canvas.zoom('fit-viewport', 'auto') < smallest) {
        canvas.zoom(smallest)
        const [current = firstIn(xml)] = active
        if (current !== undefined) canvas.scrollToElement(current, 60)
      }
      for (const [ids, marker] of [
        [done, 'done'],
        [taken, 'taken'],
        [active, 'active'],
      ] as const)
        for (const id of ids) markIn(canvas, id, marker)
      setDrawn(true)
      drawing.on(
        'commandStack.changed',
        () => void drawing!.saveXML({ format: true }).then((saved) => latestOnChange.current?.(saved.xml ?? '')),
      )
    })()
    return () => {
      isUnmounted = true
      drawing?.destroy()
    }
    // an editor keeps its own state: only another file or another process is drawn again
  }, [xml, active, done, taken, edited])
  return (
    <div ref={container} className={classes.diagram} role="group" aria-label={label}>
      {!isDrawn && (
        <div className={classes.sketch}>
          <Loading shape="picture" />
        </div>
      )}
    </div>
  )
}

/** Names as people read them: expressions, whose values differ from task to task, are left out. */
const inWords = (xml: string, words: (name: string) => string = (name) => name) =>
  xml.replaceAll(/ name="([^"<&]*)"/g, (_, name: string) => ` name="${words(name).replaceAll(/[<&"]/g, '')}"`)

const firstIn = (xml: string) => /<(?:\w+:)?startEvent[^>]* id="([^"]+)"/.exec(xml)?.[1]

/** A process may run an older version of the definition, with elements that are not in the diagram. */
function markIn(canvas: Canvas, id: string, marker: string): void {
  try {
    canvas.addMarker(id, marker)
  } catch {
    // no such element in this version
  }
}
