/**
 * Dialogs that code opens without a place of its own in a page. They are loaded after the first page; a dialog that is
 * asked for before that opens as soon as they are there.
 */
import { lazy, useEffect } from 'react'

const Provider = lazy(async () => ({ default: (await import('@mantine/modals')).ModalsProvider }))

let ready = () => {}
const whenReady = new Promise<void>((resolve) => {
  ready = resolve
})

export const Dialogs = () => (
  <Provider>
    <Ready />
  </Provider>
)

/** Its effect runs when the provider listens. */
function Ready() {
  useEffect(() => ready(), [])
  return null
}

type Modals = typeof import('@mantine/modals')
const withModals = (act: (modals: Modals) => void) => void whenReady.then(() => import('@mantine/modals')).then(act)

export const openModal = (dialog: Parameters<Modals['openModal']>[0]): void =>
  withModals((modals) => void modals.openModal(dialog))

export const openConfirmModal = (question: Parameters<Modals['openConfirmModal']>[0]): void =>
  withModals((modals) => void modals.openConfirmModal(question))

export const closeAllModals = (): void => withModals((modals) => modals.closeAllModals())
