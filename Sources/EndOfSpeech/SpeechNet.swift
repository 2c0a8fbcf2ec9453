import CMath

/// A small recurrent network: from the features of each 20 ms the probability that the wearer speaks.
///
/// Standardise, dense layer with tanh, gated recurrent unit (Cho et al., 2014, in the form of cuDNN and PyTorch: the
/// candidate's recurrent bias inside the product with the reset gate), one logistic output.
final class SpeechNet {
    /// The probability of frame t speaks of frame t − lag.
    let lag: Int

    private let hidden: Int
    private let mean: FloatMemory
    private let scale: FloatMemory
    private let dense: LayerWeights
    private let fromDense: LayerWeights
    private let fromState: LayerWeights
    private let output: FloatMemory
    private let outputBias: Float
    private let standard: FloatMemory
    private let embedded: FloatMemory
    private let gates: FloatMemory
    private let back: FloatMemory
    private let state: FloatMemory

    init(_ weights: SpeechNetFile) {
        lag = weights.lag
        hidden = weights.hidden
        mean = FloatMemory(weights.mean)
        scale = FloatMemory(weights.scale)
        dense = LayerWeights(
            rows: weights.dense, bias: weights.denseBias, outputs: weights.embedding, inputs: weights.inputs)
        fromDense = LayerWeights(
            rows: weights.ix, bias: weights.ixBias, outputs: 3 * hidden, inputs: weights.embedding)
        fromState = LayerWeights(
            rows: weights.hh, bias: weights.hhBias, outputs: 3 * hidden, inputs: weights.hidden)
        output = FloatMemory(weights.out)
        outputBias = weights.outBias
        standard = FloatMemory(weights.inputs)
        embedded = FloatMemory(dense.room)
        gates = FloatMemory(fromDense.room)
        back = FloatMemory(fromState.room)
        state = FloatMemory(hidden)
    }

    /// Forgets all that was heard.
    func reset() { state.clear() }

    /// The probability after one more frame of features.
    func hear(_ features: UnsafePointer<Float>) -> Float {
        let standard = standard.start
        for index in 0..<self.standard.count {
            standard[index] = (features[index] - mean.start[index]) * scale.start[index]
        }
        dense.apply(standard, into: embedded.start)
        for index in 0..<dense.outputs { embedded.start[index] = Self.tanh(embedded.start[index]) }
        fromDense.apply(embedded.start, into: gates.start)
        fromState.apply(state.start, into: back.start)

        let (gates, back, state) = (gates.start, back.start, state.start)
        var sum = outputBias
        for index in 0..<hidden {
            let reset = Self.logistic(gates[index] + back[index])
            let update = Self.logistic(gates[hidden + index] + back[hidden + index])
            let candidate = Self.tanh(gates[2 * hidden + index] + reset * back[2 * hidden + index])
            state[index] = (1 - update) * candidate + update * state[index]
            sum += output.start[index] * state[index]
        }
        return Self.logistic(sum)
    }

    @inline(__always)
    private static func logistic(_ x: Float) -> Float { 1 / (1 + lapel_expf(-x)) }

    @inline(__always)
    private static func tanh(_ x: Float) -> Float { 2 / (1 + lapel_expf(-2 * x)) - 1 }
}

/// A matrix and a bias, laid out in blocks of sixteen rows, so that sixteen sums grow side by side.
private struct LayerWeights {
    let outputs: Int
    /// Outputs that `apply` writes: the rows, rounded up to sixteen.
    let room: Int

    private let inputs: Int
    private let blocks: FloatMemory
    private let bias: FloatMemory

    /// - Parameter rows: one row behind the other, `inputs` numbers each.
    init(rows: [Float], bias: [Float], outputs: Int, inputs: Int) {
        self.outputs = outputs
        self.inputs = inputs
        room = (outputs + 15) / 16 * 16
        blocks = FloatMemory(room * inputs)
        self.bias = FloatMemory(bias + [Float](repeating: 0, count: room - outputs))
        for row in 0..<outputs {
            for column in 0..<inputs {
                blocks.start[(row / 16 * inputs + column) * 16 + row % 16] = rows[row * inputs + column]
            }
        }
    }

    func apply(_ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
        var block = UnsafePointer(blocks.start)
        let bias = UnsafePointer(bias.start)
        for row in stride(from: 0, to: room, by: 16) {
            var sums = bias.sixteen(row)
            for column in 0..<inputs { sums += block.sixteen(16 &* column) * input[column] }
            output.setSixteen(row, sums)
            block += 16 * inputs
        }
    }
}
