/**
 * Draws a rendition: one picture of a file by a recipe.
 *
 *   file -> picture -> region -> size and crop -> watermark, turn -> colours -> file format
 *
 * Everything up to the crop is one pipeline of the library, which decodes a JPEG no larger than needed.
 */
import { join } from 'node:path'
import { maxRenditionPixels } from '@kontor/contract'
import sharp, { type Sharp } from 'sharp'
import { defaultQuality, mimes, type Recipe } from '../../renditions/recipe.ts'
import type { Box, Drawing, Made, Order } from './message.ts'
import { settled } from './picture.ts'
import { toPicture } from './render.ts'

export async function draw(order: Order, { recipe: asked, iccFile, watermarkFile }: Drawing): Promise<Made> {
  const { number, folder, maxPixels } = order
  const picture = await toPicture(order)
  if (!picture?.image) throw new Error('there is no picture of files of this type')
  const recipe = picture.isVector ? { ...asked, enlarge: true } : asked
  const { autoOrient: whole, hasAlpha } = await picture.image.metadata()
  const { region } = recipe
  const oriented = picture.image.autoOrient()
  let image = sized(region ? oriented.extract(region) : oriented, region ?? whole, recipe)
  const { watermark, rotation, mirror } = recipe
  if (watermark || rotation || mirror) image = await turned(image, recipe, watermarkFile, maxPixels)
  const { format = 'jpeg', background } = recipe
  if (background !== undefined || (format === 'jpeg' && (hasAlpha || watermark)))
    image = image.flatten({ background: background ?? '#ffffff' })
  const file = join(folder, 'rendition')
  const { width, height } = await encoded(coloured(image, recipe, iccFile), recipe).toFile(file)
  return { number, embedded: {}, previews: [], drawn: { file, mime: mimes[format], width, height } }
}

function sized(image: Sharp, from: Box, recipe: Recipe): Sharp {
  const { width, height, fit = 'inside', enlarge = false, crop = 'centre', background = '#ffffff' } = recipe
  if (width === undefined && height === undefined) {
    demandPixels(from)
    return image
  }
  const box = boxOf(recipe, from)
  demandPixels(box)
  if (fit === 'cover' && enlarge) demandPixels(coveredBy(box, from))
  if (fit !== 'cover') return image.resize({ width, height, fit, background, withoutEnlargement: !enlarge })
  if (crop === 'centre' || crop === 'attention') return image.resize({ ...box, fit, position: crop })
  // Scaled as a whole and cut afterwards, because the library decodes a smaller picture only if nothing is cut before.
  const scaled = coveredBy(box, from)
  const start = (length: number, window: number, at: number) =>
    Math.round(Math.min(Math.max(length * at - window / 2, 0), length - window))
  const [left, top] = [start(scaled.width, box.width, crop[0]), start(scaled.height, box.height, crop[1])]
  return image.resize({ ...scaled, fit: 'fill' }).extract({ left, top, ...box })
}

/** The size of a picture that covers a box, before it is cut. */
function coveredBy(box: Box, from: Box): Box {
  const scale = Math.max(box.width / from.width, box.height / from.height)
  return { width: Math.ceil(from.width * scale), height: Math.ceil(from.height * scale) }
}

/** The size of the result. A box that is larger than the picture is made smaller, unless it may be enlarged. */
function boxOf({ width, height, fit = 'inside', enlarge = false }: Recipe, from: Box): Box {
  if (fit === 'cover') {
    const shrink = enlarge ? 1 : Math.min(1, from.width / width!, from.height / height!)
    const scaled = (side: number) => Math.max(1, Math.round(side * shrink))
    return { width: scaled(width!), height: scaled(height!) }
  }
  if (fit === 'inside') {
    const scale = Math.min((width ?? Infinity) / from.width, (height ?? Infinity) / from.height, enlarge ? Infinity : 1)
    return { width: from.width * scale, height: from.height * scale }
  }
  return { width: width!, height: height! }
}

function demandPixels({ width, height }: Box): void {
  if (width * height > maxRenditionPixels)
    throw new Error(
      `the rendition, or the picture from which it is cut, would have more than ${maxRenditionPixels} pixels; ask for a smaller one`,
    )
}

/** Lays the watermark over the scaled picture, then turns it. */
async function turned(image: Sharp, recipe: Recipe, watermarkFile: string | undefined, maxPixels: number) {
  let next = await settled(image.toColourspace('srgb'), recipe.keepMetadata)
  if (recipe.watermark && watermarkFile !== undefined) {
    const { percent, opacity, position } = recipe.watermark
    const { width, height } = await next.metadata()
    // In two steps, because sharp adds the channel of transparency after it has multiplied the channels.
    const scaled = await sharp(watermarkFile, { limitInputPixels: maxPixels })
      .autoOrient()
      .resize({ width: Math.max(1, Math.round((width * percent) / 100)), height, fit: 'inside' })
      .ensureAlpha()
      .toColourspace('srgb')
      .png()
      .toBuffer()
    const mark = await sharp(scaled)
      .linear([1, 1, 1, opacity / 100], [0, 0, 0, 0])
      .png()
      .toBuffer()
    const at = position === 'tile' ? { tile: true } : { gravity: position }
    next = await settled(next.composite([{ input: mark, ...at }]), recipe.keepMetadata)
  }
  if (recipe.mirror) next = next.flop()
  return recipe.rotation ? next.rotate(recipe.rotation) : next
}

function coloured(image: Sharp, { colourSpace = 'srgb', bitonal }: Recipe, iccFile: string | undefined): Sharp {
  if (iccFile !== undefined) return image.withIccProfile(iccFile)
  if (bitonal) return image.grayscale().threshold(128).toColourspace('b-w')
  if (colourSpace === 'gray') return image.grayscale().toColourspace('b-w')
  if (colourSpace === 'srgb') return image.toColourspace('srgb')
  return image.toColourspace(colourSpace === 'cmyk' ? 'cmyk' : 'srgb').withIccProfile(colourSpace)
}

function encoded(image: Sharp, { format = 'jpeg', quality = defaultQuality, dpi, keepMetadata }: Recipe): Sharp {
  const described = keepMetadata ? image.keepExif().keepXmp() : image
  const dense = dpi === undefined ? described : described.withDensity(dpi)
  if (format === 'png') return dense.png()
  return format === 'tiff' ? dense.tiff({ compression: 'lzw' }) : dense.toFormat(format, { quality })
}
