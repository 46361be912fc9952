/** Renditions: pictures that the server makes of a file on request (JSON only, Kontor extension). */
import { usageMedia } from './dam.ts'
import { atMost, children, expects, leaf, leaves, matches, needsOneOf, required, safe, type } from './describe.ts'

/** How a picture fills the box of width and height. */
export const renditionFits = ['inside', 'cover', 'contain', 'fill'] as const
export const renditionCrops = ['focus', 'centre', 'attention'] as const
export const renditionFormats = ['jpeg', 'png', 'webp', 'avif', 'tiff'] as const
/** As in downloads; a rendition has no sidecar. */
export const renditionMetadata = ['embed'] as const
export const colourSpaces = ['srgb', 'p3', 'cmyk', 'gray'] as const
export const watermarkPositions = ['centre', 'northwest', 'northeast', 'southwest', 'southeast', 'tile'] as const
/** The largest width and height in pixels, and the largest product of both. */
export const maxRenditionSide = 10_000
export const maxRenditionPixels = 40_000_000
/** Assets of one request. */
const maxAddressed = 1000

/** The last second of a film that a still can be taken of. */
export const maxFilmSecond = 86_400

const side = (doc: string) => expects(leaf('integer', doc), 1, maxRenditionSide)

/** The parameters that everybody who may read a file can send. */
const parameters = {
  width: side('In pixels. Default: as the height demands.'),
  height: side('In pixels. Default: as the width demands.'),
  fit: leaf(
    renditionFits,
    'inside (default) keeps the proportions within the box, cover fills the box and crops, contain fills the box and adds a background, fill distorts.',
  ),
  crop: leaf(
    renditionCrops,
    'For cover: around the focal point of the file (default; the meta item focalPoint, otherwise the centre), the centre, or where there is most to see.',
  ),
  enlarge: leaf('boolean', 'true also enlarges a smaller picture. Default false.'),
  format: leaf(renditionFormats, 'Default jpeg.'),
  quality: expects(leaf('integer', '1 to 100. Default 80. Without effect on png.'), 1, 100),
  colourSpace: leaf(colourSpaces, 'Default srgb. cmyk needs jpeg or tiff.'),
  dpi: expects(leaf('integer', 'Dots per inch that the file states. 1 to 2400.'), 1, 2400),
  background: matches(
    leaf(
      'string',
      'Instead of transparency and beside the picture, such as #ffffff. Default: white where one is needed.',
    ),
    '^#[0-9a-fA-F]{6}$',
  ),
  keepMetadata: leaf(
    'boolean',
    'true keeps EXIF and XMP of the file. Its IPTC is not kept; metadata=embed writes that, too. Default false.',
  ),
  t: expects(
    leaf(
      'number',
      'Of a film: the second whose still is taken, such as 12.5. Default: the meta item posterTime of the asset, otherwise a still that shows much. Without effect on other files.',
    ),
    0,
    maxFilmSecond,
  ),
  metadata: leaf(
    renditionMetadata,
    'embed writes the values of the asset into the file as XMP, IPTC and EXIF. Not for avif. Default: none.',
  ),
  removeLocation: leaf('boolean', 'true leaves out coordinates (GPS) of the metadata. Default false.'),
}

export const RenditionParameters = type('renditionParameters', 'How a rendition is made.', parameters)

const profileFields = {
  ...parameters,
  name: expects(leaf('string', 'For people. Default: the tid.'), 1, 200),
  fileName: expects(
    leaf(
      'string',
      'Name of the file, without extension, with {name}, {tid}, {profile}, {width}, {height}. Default {name}.',
    ),
    1,
    200,
  ),
  channelTid: leaf(
    'string',
    'The channel for which it is made: the tid of a channel. Files that are not cleared for it are refused.',
  ),
  medium: leaf(usageMedia, 'The medium for which it is made. Files that are not cleared for it are refused.'),
  territory: matches(
    leaf('string', 'The country for which it is made, such as DE. Files that are not cleared for it are refused.'),
    '^[A-Z]{2}$',
  ),
  watermarkTid: leaf('string', 'A picture that is laid over the rendition: the tid of an asset.'),
  watermarkPosition: leaf(watermarkPositions, 'Default southeast.'),
  watermarkPercent: expects(leaf('integer', 'Its width in percent of the rendition. Default 25.'), 1, 100),
  watermarkOpacity: expects(leaf('integer', 'In percent. Default 50.'), 1, 100),
  iccTid: leaf(
    'string',
    'An ICC colour profile that the rendition is converted to: the tid of an asset. Replaces colourSpace.',
  ),
}
export const RenditionProfileChange = type(
  'renditionProfileChange',
  'The new state of a rendition profile.',
  profileFields,
)
export const RenditionProfile = type('renditionProfile', 'A rendition under a name.', {
  tid: leaf('string'),
  ...profileFields,
})
export const RenditionProfileList = type('renditionProfileList', 'Rendition profiles, by tid.', {
  profiles: children(() => RenditionProfile),
})

export const RenditionUrlRequest = needsOneOf(
  type(
    'renditionUrlRequest',
    'Asks for public addresses of renditions: of a profile, of parameters, of the IIIF image service, or of what browsers play.',
    {
      tids: atMost(maxAddressed, leaves('string', 'Assets. Take precedence over ids.')),
      ids: atMost(maxAddressed, leaves('long')),
      profile: leaf('string', 'The tid of a rendition profile. Excludes parameters.'),
      ...parameters,
      iiif: leaf('boolean', 'true: base addresses of the IIIF Image API 3 instead. Excludes profile and parameters.'),
      media: leaf(
        'boolean',
        'true: addresses of films and sounds in a form that browsers play. Excludes profile, parameters and iiif.',
      ),
      days: expects(
        leaf(
          'integer',
          'How long the addresses are valid at least, 1 to 3660. Default 30. They end with a calendar month, so that they remain the same for a month.',
        ),
        1,
        3660,
      ),
    },
  ),
  'tids',
  'ids',
)
export const RenditionUrl = type('renditionUrl', 'The public address of a rendition.', {
  tid: required(leaf('string', 'The asset.')),
  id: required(safe(leaf('long'))),
  url: required(leaf('string')),
  until: required(leaf('date')),
})
export const RenditionUrlList = type('renditionUrlList', 'Public addresses of renditions.', {
  urls: children(() => RenditionUrl),
})
export const RenditionRevocation = needsOneOf(
  type('renditionRevocation', 'Assets whose public addresses are revoked.', {
    tids: atMost(maxAddressed, leaves('string', 'Take precedence over ids.')),
    ids: atMost(maxAddressed, leaves('long')),
  }),
  'tids',
  'ids',
)
export const Revoked = type('revoked', 'How many assets had their public addresses revoked.', {
  assets: leaf('integer'),
})

export const mediaStates = ['ready', 'waiting', 'running', 'failed', 'none'] as const
export const MediaRequest = needsOneOf(
  type('mediaRequest', 'Films and sounds that are to be played.', {
    tids: atMost(maxAddressed, leaves('string', 'Assets. Take precedence over ids.')),
    ids: atMost(maxAddressed, leaves('long')),
    again: leaf('boolean', 'true tries again to make a copy that failed.'),
  }),
  'tids',
  'ids',
)
export const Media = type('media', 'A film or a sound in a form that browsers play.', {
  tid: required(leaf('string', 'The asset.')),
  id: required(safe(leaf('long'))),
  kind: required(leaf(['film', 'sound'], 'By the media type of the file.')),
  state: required(
    leaf(
      mediaStates,
      'ready; waiting or running while a copy is made; failed if it could not be made; none if this server makes no copies and browsers do not play the file.',
    ),
  ),
  progress: leaf('integer', 'Of a copy that is being made, in percent.'),
  note: leaf('string', 'Why there is nothing to play.'),
  isOriginal: leaf('boolean', 'true if browsers play the file itself, so that there is no copy.'),
  url: leaf('string', 'Its address on this server for one to two days, which needs no token. Only if it is ready.'),
  mimeType: leaf('string', 'Only if it is ready.'),
  duration: leaf('number', 'In seconds, if it is known.'),
  peaks: leaves('integer', 'The waveform of a sound: the loudest sample of each of up to 800 equal parts, in percent.'),
})
export const MediaList = type('mediaList', 'Films and sounds in a form that browsers play.', {
  media: children(() => Media),
})
