// SPDX-License-Identifier: LGPL-2.1-only
// Painting a timeline: a row of pixels for one rank or several, each pixel the mean colour of what they do in its time.

class RowPainter {
  constructor(width) {
    this.width = width;
    this.red = new Float32Array(width);
    this.green = new Float32Array(width);
    this.blue = new Float32Array(width);
    this.weight = new Float32Array(width);
  }
  clear() {
    for (const part of [this.red, this.green, this.blue, this.weight]) part.fill(0);
  }
  add(pixel, weight, colour) {
    this.red[pixel] += weight * colour[0];
    this.green[pixel] += weight * colour[1];
    this.blue[pixel] += weight * colour[2];
    this.weight[pixel] += weight;
  }
  // From and to are in pixels.
  span(from, to, colour, weight) {
    const begin = Math.max(0, from), end = Math.min(this.width, to);
    if (!(end > begin)) return;
    let pixel = Math.floor(begin);
    if (pixel === Math.floor(end)) {
      this.add(pixel, (end - begin) * weight, colour);
      return;
    }
    this.add(pixel, (pixel + 1 - begin) * weight, colour);
    for (++pixel; pixel + 1 <= end; ++pixel) this.add(pixel, weight, colour);
    if (pixel < end) this.add(pixel, (end - pixel) * weight, colour);
  }
  // Into the rows of an image; where nothing is known the ground shows.
  put(image, top, height, ground, members) {
    for (let x = 0; x < this.width; ++x) {
      const weight = this.weight[x] / members, rest = Math.max(0, 1 - weight);
      const colour = [this.red[x] / members + ground[0] * rest, this.green[x] / members + ground[1] * rest,
        this.blue[x] / members + ground[2] * rest];
      for (let y = top; y < top + height; ++y) {
        const at = (y * this.width + x) * 4;
        image.data[at] = colour[0];
        image.data[at + 1] = colour[1];
        image.data[at + 2] = colour[2];
        image.data[at + 3] = 255;
      }
    }
  }
}

// Round times for an axis.
function timeTicks(from, to, most) {
  const step = (to - from) / Math.max(1, most);
  const power = Math.pow(10, Math.floor(Math.log10(step)));
  const round = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= step);
  const ticks = [];
  for (let i = Math.ceil(from / round); i * round <= to; ++i) ticks.push(i * round);
  return { ticks, round };
}

// As many digits as neighbouring ticks need to differ.
function tickTime(time, round) {
  const [factor, unit] = scaleFor(Math.max(Math.abs(time), round), "s");
  const digits = Math.max(0, -Math.floor(Math.log10(round * factor) + 1e-9));
  return `${(time * factor).toFixed(Math.min(digits, 9))} ${unit}`;
}
