/** Colours, fonts and component defaults, light and dark. All text has a contrast of at least 4.5:1. */
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

// prettier-ignore
const harbour: MantineColorsTuple = ['#eef4fd', '#dbe7f8', '#b4cdf0', '#8ab1e9', '#669ae2', '#4f8bdf', '#3477d3', '#1f5fbf', '#174a97', '#10376f']
// prettier-ignore
const amber: MantineColorsTuple = ['#fff6e6', '#ffebcb', '#fcd596', '#f8be5e', '#f2a33a', '#e68f1c', '#b86b06', '#8a5300', '#6b4000', '#4d2e00']
// prettier-ignore
const slate: MantineColorsTuple = ['#e3e8f1', '#c3ccdb', '#a6b1c6', '#7d8aa3', '#56627a', '#38445a', '#283346', '#171e2b', '#10161f', '#0b1018']

export const theme = createTheme({
  primaryColor: 'harbour',
  primaryShade: 7,
  colors: { harbour, amber, dark: slate },
  fontFamily: "'Inter', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'Cascadia Code', Menlo, Consolas, monospace",
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.3' }, h2: { fontSize: '1.15rem' }, h3: { fontSize: '1rem' } },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  autoContrast: true,
  components: {
    // One style of buttons: filled is the main action of a page or dialog, `default` the others, `subtle` those in toolbars and
    // rows, red `light` what deletes or discards. A test checks it.
    Button: { defaultProps: { size: 'sm' } },
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.45, blur: 3 } } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 350 } },
    TextInput: { defaultProps: { size: 'sm' } },
    // Large enough to hit: Mantine's are 1.6 times as high as the text.
    MultiSelect: { styles: { inputField: { height: '1.5rem' } } },
    TagsInput: { styles: { inputField: { height: '1.5rem' } } },
    Paper: { defaultProps: { withBorder: true } },
    Menu: { defaultProps: { shadow: 'md', withinPortal: true } },
  },
})

/** Colour variables for surfaces and text. The stylesheets use only these. */
export const surfaces: CSSVariablesResolver = () => ({
  variables: { '--frame-width': '14.5rem' },
  light: {
    '--ground': '#f4f6fa',
    '--paper': '#ffffff',
    '--line': '#dfe4ed',
    '--ink': '#14213d',
    '--quiet': '#566074',
    '--frame': '#14213d',
    '--hover': '#eef2f9',
    '--chosen': '#dfeafa',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#14213d',
    '--mantine-color-dimmed': '#566074',
    '--mantine-color-placeholder': '#6b7488',
    '--mantine-color-default-border': '#d3dae6',
    '--mantine-color-error': '#b91c1c',
    // Mantine's text colours on light badges and alerts are just below a contrast of 4.5
    '--mantine-color-teal-light-color': '#055c43',
    '--mantine-color-red-light-color': '#a01919',
    '--mantine-color-amber-light-color': '#6b4000',
    '--mantine-color-green-light-color': '#1b5e2a',
    '--mantine-color-orange-light-color': '#8a3500',
  },
  dark: {
    '--ground': '#0b1018',
    '--paper': '#131a26',
    '--line': '#28324a',
    '--ink': '#e3e8f1',
    '--quiet': '#a0abbf',
    '--frame': '#0d1420',
    '--hover': '#1b2434',
    '--chosen': '#1d3154',
    '--mantine-color-body': '#131a26',
    '--mantine-color-text': '#e3e8f1',
    '--mantine-color-dimmed': '#a0abbf',
    '--mantine-color-placeholder': '#8793a9',
    '--mantine-color-default-border': '#4a5872',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#8ab1e9',
    // buttons that stand out from the ground
    '--mantine-color-default': '#1d2738',
    '--mantine-color-default-hover': '#263247',
    '--mantine-color-harbour-light': '#1d3154',
    '--mantine-color-harbour-light-hover': '#25406c',
    '--mantine-color-harbour-light-color': '#b4cdf0',
  },
})
