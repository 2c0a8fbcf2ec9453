/// Room for so many numbers, made once, zero at first, given back with its last reference.
///
/// A front end works through such memory alone, so that it allocates nothing while a microphone is open. One
/// thread uses it.
final class FloatMemory {
    let start: UnsafeMutablePointer<Float>
    let count: Int

    init(_ count: Int) {
        self.count = count
        let bytes = max(count, 1) * MemoryLayout<Float>.stride
        start = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
            .bindMemory(to: Float.self, capacity: max(count, 1))
        start.initialize(repeating: 0, count: count)
    }

    convenience init(_ values: [Float]) {
        self.init(values.count)
        for (index, value) in values.enumerated() { start[index] = value }
    }

    deinit { start.deallocate() }

    func clear() { start.update(repeating: 0, count: count) }
}

extension UnsafePointer<Float> {
    /// Eight numbers from `index` on.
    @inline(__always)
    func eight(_ index: Int) -> SIMD8<Float> {
        UnsafeRawPointer(self + index).loadUnaligned(as: SIMD8<Float>.self)
    }

    /// Sixteen numbers from `index` on.
    @inline(__always)
    func sixteen(_ index: Int) -> SIMD16<Float> {
        UnsafeRawPointer(self + index).loadUnaligned(as: SIMD16<Float>.self)
    }

    /// Sum of products with as many numbers of `other`; `count` is a multiple of sixteen.
    @inline(__always)
    func dot(_ other: UnsafePointer<Float>, _ count: Int) -> Float {
        var sum = SIMD16<Float>.zero
        var index = 0
        while index < count {
            sum += sixteen(index) * other.sixteen(index)
            index &+= 16
        }
        return sum.sum()
    }
}

extension UnsafeMutablePointer<Float> {
    @inline(__always)
    func eight(_ index: Int) -> SIMD8<Float> { UnsafePointer(self).eight(index) }

    @inline(__always)
    func setEight(_ index: Int, _ value: SIMD8<Float>) {
        UnsafeMutableRawPointer(self + index).storeBytes(of: value, as: SIMD8<Float>.self)
    }

    @inline(__always)
    func setSixteen(_ index: Int, _ value: SIMD16<Float>) {
        UnsafeMutableRawPointer(self + index).storeBytes(of: value, as: SIMD16<Float>.self)
    }
}
