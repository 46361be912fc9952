export const mountReference = (_app: unknown): void => {}
