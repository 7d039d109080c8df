<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ql</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 … (%n value(s))</source>
        <translation>
            <numerusform>%1 … (%n value)</numerusform>
            <numerusform>%1 … (%n values)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::CenterView</name>
    <message numerus="yes">
        <source>%n operation(s)</source>
        <translation>
            <numerusform>%n operation</numerusform>
            <numerusform>%n operations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Collapse this region of %1 (%n operation(s))</source>
        <translation>
            <numerusform>Collapse this region of %1 (%n operation)</numerusform>
            <numerusform>Collapse this region of %1 (%n operations)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::ConfigForm</name>
    <message numerus="yes">
        <source>%1 … %2 (%n channel(s))</source>
        <translation>
            <numerusform>%1 … %2 (%n channel)</numerusform>
            <numerusform>%1 … %2 (%n channels)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::DataPreview</name>
    <message numerus="yes">
        <source>%n value(s) are not finite</source>
        <translation>
            <numerusform>%n value is not finite</numerusform>
            <numerusform>%n values are not finite</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::DistributionPanel</name>
    <message numerus="yes">
        <source>%n sample(s)</source>
        <translation>
            <numerusform>%n sample</numerusform>
            <numerusform>%n samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n value(s), evenly sampled</source>
        <translation>
            <numerusform>%n value, evenly sampled</numerusform>
            <numerusform>%n values, evenly sampled</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n channel(s) all zero</source>
        <translation>
            <numerusform>%n channel all zero</numerusform>
            <numerusform>%n channels all zero</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>one scale for each of %n channel(s): see “channels”</source>
        <translation>
            <numerusform>one scale for %n channel: see “channels”</numerusform>
            <numerusform>one scale for each of %n channels: see “channels”</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::EngineLink</name>
    <message numerus="yes">
        <source>(%n byte(s) that are not text)</source>
        <translation>
            <numerusform>(%n byte that is not text)</numerusform>
            <numerusform>(%n bytes that are not text)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::ErrorPlot</name>
    <message numerus="yes">
        <source>%n op(s) above %1 (%2)</source>
        <translation>
            <numerusform>%n op above %1 (%2)</numerusform>
            <numerusform>%n ops above %1 (%2)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n above %1 (%2)</source>
        <comment>operations</comment>
        <translation>
            <numerusform>%n above %1 (%2)</numerusform>
            <numerusform>%n above %1 (%2)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::GraphView</name>
    <message numerus="yes">
        <source>shape computation · %n op(s)</source>
        <translation>
            <numerusform>shape computation · %n op</numerusform>
            <numerusform>shape computation · %n ops</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n op(s)</source>
        <translation>
            <numerusform>%1 · %n op</numerusform>
            <numerusform>%1 · %n ops</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %n op(s)</source>
        <translation>
            <numerusform>%1: %n op</numerusform>
            <numerusform>%1: %n ops</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::Inspector</name>
    <message numerus="yes">
        <source>Restore default dispatch of %n operation(s)</source>
        <translation>
            <numerusform>Restore default dispatch of %n operation</numerusform>
            <numerusform>Restore default dispatch of %n operations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Dispatch %n operation(s) to %1</source>
        <translation>
            <numerusform>Dispatch %n operation to %1</numerusform>
            <numerusform>Dispatch %n operations to %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the selection (%n)</source>
        <translation>
            <numerusform>the selection (%n)</numerusform>
            <numerusform>the selection (%n)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s): %1</source>
        <translation>
            <numerusform>%n operation: %1</numerusform>
            <numerusform>%n operations: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s)</source>
        <translation>
            <numerusform>%n operation</numerusform>
            <numerusform>%n operations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>this tensor in %n of %1</source>
        <translation>
            <numerusform>this tensor in %n of %1</numerusform>
            <numerusform>this tensor in %n of %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the scale group (%n slot(s))</source>
        <translation>
            <numerusform>the scale group (%n slot)</numerusform>
            <numerusform>the scale group (%n slots)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::MainWindow</name>
    <message numerus="yes">
        <source>%n operation(s) found</source>
        <translation>
            <numerusform>%n operation found</numerusform>
            <numerusform>%n operations found</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s)</source>
        <translation>
            <numerusform>%n sample</numerusform>
            <numerusform>%n samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edit(s)</source>
        <translation>
            <numerusform>%n edit</numerusform>
            <numerusform>%n edits</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Run %n operation(s) in FP32</source>
        <translation>
            <numerusform>Run %n operation in FP32</numerusform>
            <numerusform>Run %n operations in FP32</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Wrote %n file(s) to %1</source>
        <translation>
            <numerusform>Wrote %n file to %1</numerusform>
            <numerusform>Wrote %n files to %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) could not be written, the first one is %1</source>
        <translation>
            <numerusform>%n file could not be written, the first one is %1</numerusform>
            <numerusform>%n files could not be written, the first one is %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::OperationModel</name>
    <message numerus="yes">
        <source>%n evaluation sample(s) on %1</source>
        <translation>
            <numerusform>%n evaluation sample on %1</numerusform>
            <numerusform>%n evaluation samples on %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::PaintedTable</name>
    <message numerus="yes">
        <source>%n more row(s): save as CSV for all</source>
        <translation>
            <numerusform>%n more row: save as CSV for all</numerusform>
            <numerusform>%n more rows: save as CSV for all</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::PassModel</name>
    <message numerus="yes">
        <source>%n change(s)</source>
        <translation>
            <numerusform>%n change</numerusform>
            <numerusform>%n changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::PipelinePanel</name>
    <message numerus="yes">
        <source>in %n operation(s)</source>
        <translation>
            <numerusform>in %n operation</numerusform>
            <numerusform>in %n operations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::PlatformComparison</name>
    <message numerus="yes">
        <source>%n operation(s) differ between %1 and %2.</source>
        <translation>
            <numerusform>%n operation differs between %1 and %2.</numerusform>
            <numerusform>%n operations differ between %1 and %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s): %1 …</source>
        <translation>
            <numerusform>%n operation: %1 …</numerusform>
            <numerusform>%n operations: %1 …</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::RecipePanel</name>
    <message numerus="yes">
        <source>It matches at most %n operation(s). Click to highlight them in the graph.</source>
        <translation>
            <numerusform>It matches at most %n operation. Click to highlight it in the graph.</numerusform>
            <numerusform>It matches at most %n operations. Click to highlight them in the graph.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It matches %n operation(s). Click to highlight them in the graph.</source>
        <translation>
            <numerusform>It matches %n operation. Click to highlight it in the graph.</numerusform>
            <numerusform>It matches %n operations. Click to highlight them in the graph.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::RunModel</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::ScaleGroupCard</name>
    <message numerus="yes">
        <source>%n slot(s) share one scale</source>
        <translation>
            <numerusform>%n slot shares one scale</numerusform>
            <numerusform>%n slots share one scale</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n slot(s) share %1</source>
        <translation>
            <numerusform>%n slot shares %1</numerusform>
            <numerusform>%n slots share %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… and %n more</numerusform>
            <numerusform>… and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::TrainingPanel</name>
    <message numerus="yes">
        <source>%1: %n operation(s)</source>
        <translation>
            <numerusform>%1: %n operation</numerusform>
            <numerusform>%1: %n operations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n block(s) improved and were kept; the others are unchanged.</source>
        <translation>
            <numerusform>%1 of %n block improved and was kept.</numerusform>
            <numerusform>%1 of %n blocks improved and were kept; the others are unchanged.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Training improved all %n block(s).</source>
        <translation>
            <numerusform>Training improved %n block.</numerusform>
            <numerusform>Training improved all %n blocks.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::TunePanel</name>
    <message numerus="yes">
        <source>%n trial(s)</source>
        <translation>
            <numerusform>%n trial</numerusform>
            <numerusform>%n trials</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::VerifyPanel</name>
    <message numerus="yes">
        <source>%n sample(s)</source>
        <translation>
            <numerusform>%n sample</numerusform>
            <numerusform>%n samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n inner tensor(s), by: %1.</source>
        <translation>
            <numerusform>%n inner tensor, by: %1.</numerusform>
            <numerusform>%n inner tensors, by: %1.</numerusform>
        </translation>
    </message>
</context>
</TS>
