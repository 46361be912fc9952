/** Draws only the visible part of a long list of rows of one height: the scroll position and the rows that it shows. */
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { type UIEvent, useRef, useState } from 'react'
import { scrollTo, windowOf } from './windowing.ts'

export function useRowWindow(rows: number, rowHeight: number) {
  const scroller = useRef<HTMLDivElement>(null)
  const { ref: measured, height: viewHeight } = useElementSize<HTMLDivElement>()
  const [scrollTop, setScrollTop] = useState(0)
  return {
    /** The element that scrolls; `scrollerProps` go to it. */
    scroller,
    scrollerProps: {
      ref: useMergedRef(scroller, measured),
      onScroll: (event: UIEvent<HTMLDivElement>) => setScrollTop(event.currentTarget.scrollTop),
    },
    viewHeight,
    drawn: windowOf(rows, rowHeight, scrollTop, viewHeight),
    scrollToRow(row: number) {
      const element = scroller.current
      if (element) element.scrollTop = scrollTo(row, rows, rowHeight, element.scrollTop, viewHeight)
    },
  }
}
